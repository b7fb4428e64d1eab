import { addAdapter } from "./commands/adapter.ts";
import { addAuthority } from "./commands/authority.ts";
import { addAwareness } from "./commands/awareness.ts";
import { addBackup } from "./commands/backup.ts";
import { addCompletion } from "./commands/completion.ts";
import { addConfig } from "./commands/config.ts";
import { addDemo } from "./commands/demo.ts";
import { addDeployment } from "./commands/deployment.ts";
import { addDev } from "./commands/dev.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addKeys } from "./commands/keys.ts";
import { addListen } from "./commands/listen.ts";
import { addLogin } from "./commands/login.ts";
import { addMigrate } from "./commands/migrate.ts";
import { addPeople } from "./commands/people.ts";
import { addProvisioner } from "./commands/provisioner.ts";
import { addRecovery } from "./commands/recovery.ts";
import { addRegistry } from "./commands/registry.ts";
import { addResend } from "./commands/resend.ts";
import { addRestore } from "./commands/restore.ts";
import { addSandbox } from "./commands/sandbox.ts";
import { addToken } from "./commands/token.ts";
import { addTrigger } from "./commands/trigger.ts";
import { addVault } from "./commands/vault.ts";
import { addVerification } from "./commands/verification.ts";
import { createProgram, runProgram } from "./program.ts";

const program = createProgram();
for (const add of [
  addDev,
  addDemo,
  addVault,
  addRegistry,
  addProvisioner,
  addAwareness,
  addLogin,
  addAuthority,
  addSandbox,
  addMigrate,
  addConfig,
  addDoctor,
  addBackup,
  addRestore,
  addKeys,
  addListen,
  addTrigger,
  addResend,
  addDeployment,
  addVerification,
  addRecovery,
  addAdapter,
  addPeople,
  addToken,
  addCompletion,
])
  add(program);
await runProgram(program, process.argv);
