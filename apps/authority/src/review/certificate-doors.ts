import { formOf } from "@dataspace/service-kit/http/own-form";
import { authorityRefusal } from "../errors.ts";
import { readId, readNumber } from "../http/read-input.ts";
import { findListedCertificate, type ListedCertificate, listCertificates } from "../store/certificate-lists.ts";
import { certificateListPage, certificatePage } from "./certificate-pages.ts";
import { readReason } from "./decision-form.ts";
import { toFault } from "./show-page.ts";
import type { ReviewDoorDeps } from "./submission-doors.ts";
import { visitorOf } from "./visitor.ts";
import type { FastifyInstance } from "fastify";

type Query = { readonly Querystring: Record<string, unknown> };
type ByJti = { readonly Params: { readonly jti: string } };

const AT = "/review/certificates";
const PAGE = 20;
const LAST_PLACE = 2_147_483_647;

/** Serves the pages of certificates, and takes a revocation to be signed. Refuses: UNKNOWN_CERTIFICATE, BAD_REQUEST, as `SignedReviews`. */
export function mountCertificatePages(app: FastifyInstance, { database, clock, reviews, show }: ReviewDoorDeps): void {
  const read = async (jti: string): Promise<ListedCertificate> => {
    const found = await findListedCertificate(database, readId(jti, "UNKNOWN_CERTIFICATE"));
    if (found === undefined) throw authorityRefusal("UNKNOWN_CERTIFICATE", "There is no certificate with this id.");
    return found;
  };
  app.get<Query>(AT, async (request, reply) => {
    const given = request.query["before"];
    const before = given === undefined ? undefined : readNumber(given, { name: "before", min: 0, max: LAST_PLACE });
    const found = await listCertificates(database, { before, limit: PAGE + 1 });
    const certificates = found.slice(0, PAGE);
    const pages = {
      first: before === undefined ? undefined : AT,
      next: found.length > PAGE ? `${AT}?before=${certificates.at(-1)?.idx}` : undefined,
    };
    return show(request, reply, certificateListPage({ certificates, ...pages, nowMs: clock.nowMs() }));
  });
  app.get<ByJti>(`${AT}/:jti`, async (request, reply) => {
    const certificate = await read(request.params.jti);
    return show(request, reply, certificatePage(visitorOf(request), { certificate, nowMs: clock.nowMs() }));
  });
  app.post<ByJti>(`${AT}/:jti/revoke`, async (request, reply) => {
    const visitor = visitorOf(request);
    const certificate = await read(request.params.jti);
    const form = formOf(request);
    try {
      const { jti: subject, platform, version } = certificate;
      const input = readRevocationForm(form, certificate);
      const session = await reviews.ask(visitor, { act: "revoke", subject, input, facts: { platform, version } });
      return await reply.redirect(`/review/requests/${session}`, 303);
    } catch (error) {
      const fault = toFault(error);
      const shown = { certificate, sent: { form, fault }, nowMs: clock.nowMs() };
      return show(
        request,
        reply.code(fault.code === "BAD_REQUEST" ? 422 : fault.status),
        certificatePage(visitor, shown),
      );
    }
  });
}

function readRevocationForm(
  form: URLSearchParams,
  { version, revoked }: ListedCertificate,
): { readonly reason: string } {
  if (revoked !== null) throw authorityRefusal("REVOKED", "The certificate is revoked already.");
  const reason = readReason((form.get("reason") ?? "").trim());
  if ((form.get("confirmation") ?? "").trim() !== version)
    throw authorityRefusal("BAD_REQUEST", `Type ${version} to confirm.`, "confirmation");
  return { reason };
}
