import { type ListenConfig, listen, listenAdmin } from "../http/listen.ts";
import { type AdminParts, createAdminServer } from "./admin-server.ts";

/**
 * Makes a service listen, and its admin port beside it. `opened` closes both, the admin port last, so that it reports
 * the stop.
 *
 * Refuses: as `listen` and `listenAdmin`. Source: decision P6.
 */
export async function listenWithAdmin(
  opened: AsyncDisposableStack,
  parts: AdminParts,
  config: ListenConfig,
): Promise<{ readonly url: string; readonly adminUrl: string }> {
  const { service } = parts;
  const admin = createAdminServer(parts);
  opened.defer(() => admin.close());
  opened.defer(() => service.close());
  const { url } = await listen(service, config);
  const { url: adminUrl } = await listenAdmin(admin, config);
  return { url, adminUrl };
}
