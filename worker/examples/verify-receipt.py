# Verifies a receipt with the package pyjwt[crypto].
import hashlib, pathlib
from datetime import datetime, timezone
import jwt

# The time of the order, for an old receipt: datetime.fromisoformat("2026-11-26T00:35:00+00:00")
at = datetime.now(timezone.utc)
receipt = pathlib.Path("receipt.txt").read_text().strip()
header = jwt.get_unverified_header(receipt)
if header.get("typ") != "order-cost-receipt+jwt":
    raise SystemExit("This is no receipt of the service")
# Make it once: it fetches the list again for a key that it does not know, every 30 seconds at most.
# Some firewalls refuse Python's own User-Agent.
keys = jwt.PyJWKClient("https://shop.example/receipt-key", headers={"User-Agent": "checkout"})
# The time is checked below: PyJWT's `leeway` would also lengthen `exp`.
options = {"require": ["iat", "exp", "jti"], "verify_iat": False, "verify_exp": False}
payload = jwt.decode(receipt, keys.get_signing_key(header["kid"]), algorithms=["EdDSA"], options=options)
if not payload["iat"] - 60 <= at.timestamp() < payload["exp"]:
    raise SystemExit(f"The receipt is not valid at {at}")
for name, file in [("request", "order.json"), ("response", "priced.json")]:
    if payload[name] != hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest():
        raise SystemExit(f"The receipt is of another {name}")
print(f"answered at {payload['iat']}, once: {payload['jti']}")
