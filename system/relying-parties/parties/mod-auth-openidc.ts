import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ConnectionValues, RelyingParty } from "../relying-party.ts";

const MODULES = "/usr/lib/apache2/modules";
const ATTEMPTS = 100;
const ATTEMPT_MS = 100;

/** Why mod_auth_openidc cannot run here, or false. */
export const NO_APACHE: string | false =
  existsSync("/usr/sbin/apache2") && existsSync(`${MODULES}/mod_auth_openidc.so`)
    ? false
    : "apache2 and libapache2-mod-auth-openidc are not installed";

/** Starts Apache with mod_auth_openidc in a temporary directory. It shows REMOTE_USER, which it takes from `sub`. */
export async function startApache(
  { issuer, client, origin }: ConnectionValues,
  tokenEndpointAuth: "client_secret_basic" | "client_secret_post",
): Promise<RelyingParty> {
  const directory = await mkdtemp(join(tmpdir(), "dataspace-apache-"));
  // Apache serves as another user when it is started by root.
  await chmod(directory, 0o755);
  await mkdir(join(directory, "pages"));
  const { port } = new URL(origin);
  await writeFile(
    join(directory, "apache.conf"),
    `ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${directory}/apache.pid
ErrorLog ${directory}/error.log
${["mpm_event", "authn_core", "authz_core", "authz_user", "dir", "mime", "filter", "include", "auth_openidc"]
  .map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`)
  .join("\n")}
${process.getuid?.() === 0 ? "User www-data\nGroup www-data" : ""}
TypesConfig /dev/null
DocumentRoot ${directory}/pages
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${client.id}
OIDCClientSecret ${client.secret}
OIDCProviderTokenEndpointAuth ${tokenEndpointAuth}
OIDCRedirectURI ${client.redirectUri}
OIDCPKCEMethod S256
OIDCIDTokenSignedResponseAlg ES256
OIDCScope "openid profile email"
OIDCRemoteUserClaim sub
OIDCCryptoPassphrase a-passphrase-of-the-server
<Directory ${directory}/pages>
  AuthType openid-connect
  Require valid-user
  Options +Includes
  AddOutputFilter INCLUDES .html
</Directory>
`,
  );
  await writeFile(join(directory, "pages", "index.html"), 'sub=<!--#echo var="REMOTE_USER" -->\n');
  const child = spawn("/usr/sbin/apache2", ["-f", join(directory, "apache.conf"), "-DFOREGROUND"], { stdio: "ignore" });
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await answers(Number(port))) return { url: origin, [Symbol.asyncDispose]: stop };
    if (child.exitCode !== null) break;
    await wait(ATTEMPT_MS);
  }
  const log = await readFile(join(directory, "error.log"), "utf8").catch(() => "no log");
  await stop();
  throw new Error(`apache2 does not answer: ${log}`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
