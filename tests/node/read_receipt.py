"""Verifies a receipt with PyJWT: {"receipt", "keys"} on standard input, the payload on standard output."""

import json
import sys

import jwt

sent = json.load(sys.stdin)
kid = jwt.get_unverified_header(sent["receipt"])["kid"]
key = jwt.PyJWKSet.from_dict(sent["keys"])[kid]
json.dump(jwt.decode(sent["receipt"], key, algorithms=["EdDSA"]), sys.stdout)
