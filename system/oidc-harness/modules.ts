import type { HarnessModule } from "./harness-module.ts";
import { oidccClaimsEssential } from "./modules/basic-op/oidcc-claims-essential.ts";
import { oidccClaimsLocales } from "./modules/basic-op/oidcc-claims-locales.ts";
import { oidccCodereuse } from "./modules/basic-op/oidcc-codereuse.ts";
import { oidccCodereuse30seconds } from "./modules/basic-op/oidcc-codereuse-30seconds.ts";
import { oidccDisplayPage } from "./modules/basic-op/oidcc-display-page.ts";
import { oidccDisplayPopup } from "./modules/basic-op/oidcc-display-popup.ts";
import { oidccEnsureOtherScopeOrderSucceeds } from "./modules/basic-op/oidcc-ensure-other-scope-order-succeeds.ts";
import { oidccEnsurePostRequestSucceeds } from "./modules/basic-op/oidcc-ensure-post-request-succeeds.ts";
import { oidccEnsureRegisteredRedirectUri } from "./modules/basic-op/oidcc-ensure-registered-redirect-uri.ts";
import { oidccEnsureRequestObjectWithRedirectUri } from "./modules/basic-op/oidcc-ensure-request-object-with-redirect-uri.ts";
import { oidccEnsureRequestWithAcrValuesSucceeds } from "./modules/basic-op/oidcc-ensure-request-with-acr-values-succeeds.ts";
import { oidccEnsureRequestWithUnknownParameterSucceeds } from "./modules/basic-op/oidcc-ensure-request-with-unknown-parameter-succeeds.ts";
import { oidccEnsureRequestWithValidPkceSucceeds } from "./modules/basic-op/oidcc-ensure-request-with-valid-pkce-succeeds.ts";
import { oidccEnsureRequestWithoutNonceSucceedsForCodeFlow } from "./modules/basic-op/oidcc-ensure-request-without-nonce-succeeds-for-code-flow.ts";
import { oidccIdTokenHint } from "./modules/basic-op/oidcc-id-token-hint.ts";
import { oidccIdtokenSignature } from "./modules/basic-op/oidcc-idtoken-signature.ts";
import { oidccIdtokenUnsigned } from "./modules/basic-op/oidcc-idtoken-unsigned.ts";
import { oidccLoginHint } from "./modules/basic-op/oidcc-login-hint.ts";
import { oidccMaxAge1 } from "./modules/basic-op/oidcc-max-age-1.ts";
import { oidccMaxAge10000 } from "./modules/basic-op/oidcc-max-age-10000.ts";
import { oidccPromptLogin } from "./modules/basic-op/oidcc-prompt-login.ts";
import { oidccPromptNoneLoggedIn } from "./modules/basic-op/oidcc-prompt-none-logged-in.ts";
import { oidccPromptNoneNotLoggedIn } from "./modules/basic-op/oidcc-prompt-none-not-logged-in.ts";
import { oidccRefreshToken } from "./modules/basic-op/oidcc-refresh-token.ts";
import { oidccRequestUriUnsignedSupportedCorrectlyOrRejectedAsUnsupported } from "./modules/basic-op/oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported.ts";
import { oidccResponseTypeMissing } from "./modules/basic-op/oidcc-response-type-missing.ts";
import { oidccScopeAddress } from "./modules/basic-op/oidcc-scope-address.ts";
import { oidccScopeAll } from "./modules/basic-op/oidcc-scope-all.ts";
import { oidccScopeEmail } from "./modules/basic-op/oidcc-scope-email.ts";
import { oidccScopePhone } from "./modules/basic-op/oidcc-scope-phone.ts";
import { oidccScopeProfile } from "./modules/basic-op/oidcc-scope-profile.ts";
import { oidccServer } from "./modules/basic-op/oidcc-server.ts";
import { oidccServerClientSecretPost } from "./modules/basic-op/oidcc-server-client-secret-post.ts";
import { oidccUiLocales } from "./modules/basic-op/oidcc-ui-locales.ts";
import { oidccUnsignedRequestObjectSupportedCorrectlyOrRejectedAsUnsupported } from "./modules/basic-op/oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported.ts";
import { oidccUserinfoGet } from "./modules/basic-op/oidcc-userinfo-get.ts";
import { oidccUserinfoPostBody } from "./modules/basic-op/oidcc-userinfo-post-body.ts";
import { oidccUserinfoPostHeader } from "./modules/basic-op/oidcc-userinfo-post-header.ts";
import { oidccDiscoveryEndpointVerification } from "./modules/config-op/oidcc-discovery-endpoint-verification.ts";
import { attemptReuseAuthorizationCodeAfterOneSecond } from "./modules/fapi2/attempt-reuse-authorization-code-after-one-second.ts";
import { ensureAuthorizationCodeIsBoundToClient } from "./modules/fapi2/ensure-authorization-code-is-bound-to-client.ts";
import { ensureAuthorizationRequestWith64CharNonce } from "./modules/fapi2/ensure-authorization-request-with-64-char-nonce.ts";
import { ensureAuthorizationRequestWithLongNonce } from "./modules/fapi2/ensure-authorization-request-with-long-nonce.ts";
import { ensureAuthorizationRequestWithLongState } from "./modules/fapi2/ensure-authorization-request-with-long-state.ts";
import { ensureAuthorizationRequestWithoutStateSucceeds } from "./modules/fapi2/ensure-authorization-request-without-state-succeeds.ts";
import { ensurePkceCodeVerifierRequired } from "./modules/fapi2/ensure-pkce-code-verifier-required.ts";
import { ensurePlainPkceFails } from "./modules/fapi2/ensure-plain-pkce-fails.ts";
import { ensureRedirectUriInAuthorizationRequest } from "./modules/fapi2/ensure-redirect-uri-in-authorization-request.ts";
import { ensureRequestWithoutPkceFails } from "./modules/fapi2/ensure-request-without-pkce-fails.ts";
import { ensureTokenEndpointFailsWithExpiredAuthCode } from "./modules/fapi2/ensure-token-endpoint-fails-with-expired-auth-code.ts";
import { incorrectPkceCodeVerifierRejected } from "./modules/fapi2/incorrect-pkce-code-verifier-rejected.ts";
import { answerNamesIssuer } from "./modules/own/answer-names-issuer.ts";
import { clientSecretIsChecked } from "./modules/own/client-secret-is-checked.ts";
import { codeIsBoundToRedirectUri } from "./modules/own/code-is-bound-to-redirect-uri.ts";
import { codeStaysInItsBrowser } from "./modules/own/code-stays-in-its-browser.ts";
import { discoveryIgnoresHost } from "./modules/own/discovery-ignores-host.ts";
import { duplicateParametersAreRefused } from "./modules/own/duplicate-parameters-are-refused.ts";
import { ensureRegisteredSecondRedirectUri } from "./modules/own/ensure-registered-second-redirect-uri.ts";
import { idTokenIsEs256 } from "./modules/own/id-token-is-es256.ts";
import { oneClientAuthentication } from "./modules/own/one-client-authentication.ts";
import { openidIsRequired } from "./modules/own/openid-is-required.ts";
import { publishedKeysArePublic } from "./modules/own/published-keys-are-public.ts";
import { selectAccountIsAccepted } from "./modules/own/select-account-is-accepted.ts";
import { userinfoChecksTheToken } from "./modules/own/userinfo-checks-the-token.ts";
import { userinfoEqualsIdToken } from "./modules/own/userinfo-equals-id-token.ts";

/** Every module, in the order of the published table. Source: decision L3. */
export const MODULES: readonly HarnessModule[] = [
  oidccServer,
  oidccResponseTypeMissing,
  oidccIdtokenSignature,
  oidccIdtokenUnsigned,
  oidccUserinfoGet,
  oidccUserinfoPostHeader,
  oidccUserinfoPostBody,
  oidccEnsureRequestWithoutNonceSucceedsForCodeFlow,
  oidccScopeProfile,
  oidccScopeEmail,
  oidccScopeAddress,
  oidccScopePhone,
  oidccScopeAll,
  oidccEnsureOtherScopeOrderSucceeds,
  oidccDisplayPage,
  oidccDisplayPopup,
  oidccPromptLogin,
  oidccPromptNoneNotLoggedIn,
  oidccPromptNoneLoggedIn,
  oidccMaxAge1,
  oidccMaxAge10000,
  oidccEnsureRequestWithUnknownParameterSucceeds,
  oidccIdTokenHint,
  oidccLoginHint,
  oidccUiLocales,
  oidccClaimsLocales,
  oidccEnsureRequestWithAcrValuesSucceeds,
  oidccCodereuse,
  oidccCodereuse30seconds,
  oidccEnsureRegisteredRedirectUri,
  oidccEnsurePostRequestSucceeds,
  oidccServerClientSecretPost,
  oidccRequestUriUnsignedSupportedCorrectlyOrRejectedAsUnsupported,
  oidccUnsignedRequestObjectSupportedCorrectlyOrRejectedAsUnsupported,
  oidccClaimsEssential,
  oidccEnsureRequestObjectWithRedirectUri,
  oidccRefreshToken,
  oidccEnsureRequestWithValidPkceSucceeds,
  oidccDiscoveryEndpointVerification,
  ensureRequestWithoutPkceFails,
  ensurePlainPkceFails,
  ensurePkceCodeVerifierRequired,
  incorrectPkceCodeVerifierRejected,
  ensureAuthorizationCodeIsBoundToClient,
  ensureTokenEndpointFailsWithExpiredAuthCode,
  attemptReuseAuthorizationCodeAfterOneSecond,
  ensureAuthorizationRequestWithLongState,
  ensureAuthorizationRequestWithLongNonce,
  ensureAuthorizationRequestWith64CharNonce,
  ensureAuthorizationRequestWithoutStateSucceeds,
  ensureRedirectUriInAuthorizationRequest,
  answerNamesIssuer,
  codeIsBoundToRedirectUri,
  clientSecretIsChecked,
  oneClientAuthentication,
  openidIsRequired,
  idTokenIsEs256,
  publishedKeysArePublic,
  codeStaysInItsBrowser,
  userinfoChecksTheToken,
  userinfoEqualsIdToken,
  selectAccountIsAccepted,
  duplicateParametersAreRefused,
  ensureRegisteredSecondRedirectUri,
  discoveryIgnoresHost,
];
