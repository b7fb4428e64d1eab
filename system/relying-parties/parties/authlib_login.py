"""Logs one person in with Debian's Authlib. Reads connection values and then the answer's address, one JSON text a line."""

import json
import sys

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebToken
from authlib.oidc.core import CodeIDToken

values = json.loads(sys.stdin.readline())
session = OAuth2Session(
    values["id"],
    values["secret"],
    scope="openid profile email",
    redirect_uri=values["redirectUri"],
    token_endpoint_auth_method=values["auth"],
    code_challenge_method="S256",
)
metadata = session.get(values["issuer"] + "/.well-known/openid-configuration", withhold_token=True).json()
verifier, nonce = generate_token(48), generate_token()
url, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
print(json.dumps(url), flush=True)

answer = json.loads(sys.stdin.readline())
token = session.fetch_token(
    metadata["token_endpoint"], authorization_response=answer, state=state, code_verifier=verifier
)
keys = session.get(metadata["jwks_uri"], withhold_token=True).json()
claims = JsonWebToken(["ES256"]).decode(
    token["id_token"],
    keys,
    claims_cls=CodeIDToken,
    claims_options={"iss": {"value": values["issuer"]}, "aud": {"value": values["id"]}},
    claims_params={"nonce": nonce, "client_id": values["id"]},
)
claims.validate()
userinfo = session.get(metadata["userinfo_endpoint"]).json()
print(json.dumps({"sub": claims["sub"], "userinfo": userinfo}), flush=True)
