// What `--help` says after the list of options.

export const HELP = `
Examples:
  $ order-cost price order.json --facts facts.json
  $ order-cost serve --facts facts.json --port 0
  $ order-cost verify before.ndjson after.ndjson --key orderId
  $ order-cost replay captures/
  $ order-cost explain captures/ --request-id r-17
  $ order-cost verify-receipt --key keys.json --request order.json --response priced.json eyJhbGci…
  $ order-cost impact captures/ --catalogue catalogue/
  $ order-cost merge tallies/*.json --max-impact 0.5%
  $ order-cost copy-catalogue https://shop.example/catalogue catalogue/

"order-cost price --help" and so on say more.`;

const FACTS_HELP = `The facts file has the shape of Facts in order-cost/testing, and may hold the delivery zones:
  {
    "prices": { "1001": { "price": 37.25 }, "1002/1001": { "price": 12, "weight": 0.5 } },
    "vouchers": { "V1": { "ownerId": "malee", "value": 50, "isActive": true, "isUsed": false } },
    "rates": { "DRY": { "deliveryFee": 80 } },
    "coupons": { "discounts": [{ "coupon": "SAVE10", "discount": 10 }], "failedCoupons": [] },
    "deliveryZones": { "type": "FeatureCollection", "features": [] }
  }
A price is found by "<cprcode>/<branchId>", then by "<cprcode>". "coupons" is the answer to every
order that has coupon codes. Numbers keep every digit.
`;

export const PRICE_HELP = `
An order that cannot be priced gives {"error": "…"} on its line, and a sentence on stderr: the
output has one line for each order. JSON output is exact to the last digit, the tables show the
nearest double.

${FACTS_HELP}
Examples:
  $ order-cost price order.json --facts facts.json
  $ order-cost price order.json --facts facts.json --format table
  $ order-cost price order.json --facts facts.json --explain
  $ order-cost price orders.ndjson --facts facts.json --zones zones.geojson --out priced.ndjson
  $ cat order.json | order-cost price --facts facts.json

Exit codes: 0 every order was priced, 1 an order was not, 2 wrong usage or unreadable input.`;

export const SERVE_HELP = `
The first line on stdout is the address, such as "Listening on http://127.0.0.1:8787". SIGTERM and
SIGINT end the command, exit code 0, once the orders under way are answered. Each request that fails
is a line on stderr.

A program starts "node node_modules/order-cost/cli.js serve": npx would keep SIGTERM to itself. It
reads stderr or inherits it: a full pipe stops the command.

The answers have the status, the headers and the bytes of the edge service, but not its headers
x-order-cost-data and server-timing. There are no keys, no rate limit and no other paths. An order
that takes more than 10 seconds fails.

The files are read again for each order, so an order that is sent after an edit sees it. An order
that finds a file missing or broken fails, and says why: 500, code FACTS_FAILED. So does one that
finds a file half written. If a file changes while orders are sent, write another one and rename it.

${FACTS_HELP}
A price or a voucher that the facts do not hold is not found: "No price for 1001/1000". Nobody
delivers where a rate is null; without a rate the look-up fails. Without "coupons" no coupon applies.

Examples:
  $ order-cost serve --facts facts.json
  $ order-cost serve --facts facts.json --zones zones.geojson --port 0
  $ curl http://127.0.0.1:8787/calculatecost4 -d @order.json

Exit codes: 0 a signal ended it, 2 wrong usage, unreadable input, or an address that is not free.`;

const COMPARING_HELP = `
Kinds of differences:
  missing          one side does not have the field
  type             the JSON types differ
  numberFormat     the same number in another notation: 100 and 100.0
  underHalfSatang  numbers less than 0.005 apart
  order            a list has the same items in another order
  value            any other difference
  failed           a side is an error, has another status than 200, or is no JSON object; it
                   counts, unless --accept has this kind and names the side that failed
  unmatched        only one side has the order; it counts, unless --accept has this kind

Each difference is explained by the decision of the project that settled a contested point of the
specification (D15), if the values show that both sides keep to it, each in its own way; and by the
policy of this package that would remove it, if there is one. What nothing explains comes first.

"At stake" is the sum of the sizes by which grand totals differ, "net" the sum with signs, right − left.
An order that differs for several reasons gives each its part, as far as the amounts show it; the net of
all lines adds up. --reason D29 lists only orders with a field for that reason, --ids FILE writes them.
What --ignore and --ignore-path leave out is counted apart, with its money.

--ignore-path takes patterns: * is any text up to the next dot, ** any text, [] any index. A pattern
that names an object or a list covers all in it: summary, productList[].weight, **.remark

--accept takes a list of known differences. "path" is such a pattern; "kind", "decision" and "ids",
keys of orders, are optional. With "decision" an entry accepts only what this decision alone explains,
without it any amount. Without "kind" it accepts no failure: that takes "kind": "failed" with the side
that failed, "side": "left", the first file or the captured answer, or "right", the second file or this
version's answer. From the day after "until", by UTC, the command fails, until the entry is renewed:
  [{ "path": "productList[].rowTotal", "decision": "D15",
     "reason": "the old service takes the list price", "until": "2099-12-31" }]
`;

const SUGGEST_HELP = `
--suggest prices the orders of the right side again under every combination of policies: 200 orders
choose, all confirm. It prints the policies with which the fewest orders differ, counted without
--accept; the exit code is that of these orders. The right side is of this package, by any one policy.
Captures show what their orders were priced from; of answers alone some policies cannot be judged.`;

export const VERIFY_HELP = `
The files hold responses: one per line (NDJSON), a JSON array, or a single one. With --key those with
the same key are compared, whatever their order; of equal keys identical responses pair first, the
rest in order. An order that failed has no key: it pairs with the one in its place. Without --key the
first is compared with the first, the second with the second. A line that is no JSON ends the command.
${SUGGEST_HELP}
${COMPARING_HELP}
Examples:
  $ order-cost verify before.ndjson after.ndjson --key orderId
  $ order-cost verify before.ndjson after.ndjson --ignore numberFormat,underHalfSatang
  $ order-cost verify old.ndjson new.ndjson -k orderId --suggest
  $ order-cost verify old.ndjson new.ndjson -k orderId --accept known.json --max-different 0.1% --ids ids.txt
  $ order-cost price orders.ndjson --facts facts.json | order-cost verify expected.ndjson -

Exit codes: 0 no differences, or at most --max-different, 1 differences, 2 wrong usage or unreadable input.`;

const CAPTURE_HELP = `
A capture is one JSON object, in a file or on a line of a file:
  { "requestId": "r-17", "route": "calculatecost4", "policy": {}, "limits": {}, "zones": "<hash>",
    "request": {}, "facts": {}, "legacy": { "status": 200, "body": {} }, "new": { "status": 200, "body": {} } }
"facts" is what the host answered, see "order-cost price --help". Zones stand in zones/<hash>, beside
the captures or in one of two folders above, or in the folder of --zones-dir, which standard input
needs; without "zones" there are none. Each order is priced by this version with its own facts, policy,
limits and zones.

Files and standard input (-) may be packed by gzip or zstd: their first bytes tell. An archive that is
damaged or cut off ends the command. So does a line that is no capture, unless --skip-broken skips it.
`;

const TALLY_HELP = `
--tally writes what was counted, for "order-cost merge": each file or folder that is named is a part.
A part without captures gives an empty tally.
`;

export const REPLAY_HELP = `${CAPTURE_HELP}
An order that fails as it did before is the same. A status of null says that there was no answer: the
side failed. Of orders that matter equally the first by requestId stand first, then by the capture's
hash, which also names a capture without an id.
${TALLY_HELP.trimEnd()} --ids beside it has the orders of the part.
${SUGGEST_HELP}
${COMPARING_HELP}
Examples:
  $ order-cost replay captures/
  $ order-cost replay captures/ --against legacy --match-rows cprcode
  $ order-cost replay captures/ --against legacy --suggest
  $ order-cost replay captures/part-7.ndjson --against legacy --tally tallies/7.json

Exit codes: 0 all the same, or at most --max-different, 1 differences, 2 wrong usage or unreadable input.`;

export const EXPLAIN_HELP = `${CAPTURE_HELP}
A capture needs no "legacy";
"dataVersion", "package" and "module" say what it was priced from, and by what.

Of each order it shows the bill, the steps that lead to its total, each with the decision that it
follows, and whether this version gives the answer that was captured. Of an order that failed it shows
the error and what it means. The columns of amounts are exact, the sentences show the nearest double.

JSON output has a line for each order, {"requestId", "same", "order", "steps"}, exact to the last digit.
An order that failed has "error" instead of "order" and "steps". Where the captured answer was another
one, "differences" lists the fields.

Examples:
  $ order-cost explain captures/2026-11-23/slot-17
  $ order-cost explain captures/ --request-id r-17 --language th
  $ order-cost explain captures/ --format json

Exit codes: 0 each answer is the captured one, 1 one is not, 2 wrong usage or unreadable input.`;

export const VERIFY_RECEIPT_HELP = `
A service with a RECEIPT_KEY sends a receipt with each priced order, in x-order-cost-receipt. A valid one
proves that the holder of the key has answered the bytes of the request with the bytes of the response,
when, and by which prices, policy and module. It does not prove that the receipt was not used before:
whoever honours it remembers its jti until it expires.

The bodies count byte for byte, as they were before any content encoding: curl --data-binary sends a
file as it is, curl --output writes one. Get the keys from the service itself, over https.

What is wrong first is said first:
  malformed    it is no receipt, or damaged
  unknownKey   the key file does not have its key
  signature    it was changed, or another key has signed it
  request      it is of another request
  response     it is of another response
  expired      it was not valid at that time; the service's clock may be 60 seconds ahead
  unsupported  this Node.js has no Ed25519

Examples:
  $ curl https://shop.example/receipt-key --output keys.json
  $ curl https://shop.example/calculatecost4 -H "Authorization: Bearer <key>" --fail-with-body \\
      --data-binary @order.json --output priced.json --dump-header headers.txt
  $ sed -n 's/^x-order-cost-receipt: //ip' headers.txt |
      order-cost verify-receipt --key keys.json --request order.json --response priced.json -

Exit codes: 0 valid, 1 refused, 2 wrong usage or unreadable input.`;

export const IMPACT_HELP = `
Each captured order is priced as it was and with what is new. The differences of its grand total are
told apart by cause, by replacing one thing after the other:
  this package       the captured facts, policy, limits and zones, priced by this version
  the policy         the rules of --policy; rules that it does not name stay as captured
  the delivery zones those of the catalogue, or of --zones
  the prices         those of the catalogue
What is not given stays as captured: without --catalogue, --zones and --policy only the package is
new. Vouchers, rates and coupons keep their captured answers. Where an order would ask the coupon
service another question, its coupons are open: the report says how many orders and how much money.

--catalogue takes a folder that "npm run data -- build --out" or "push --dir" has written, or the URL
of one of "push --dir". A folder of "push", and a URL, has the version in use; --catalogue-version names
another one that was pushed. Of a folder built without --zones the captured zones stay.

--max-impact is the sum of the sizes by which grand totals change, of all captured grand totals. An
order that would fail counts its whole total, and stands apart. So do orders that failed when they
were captured, which count nothing. A stage that fails although a later one prices the order leaves
its money to that one, so that causes always add up exactly.

Captures are those of "order-cost replay". Their answer "new" counts. In a redacted capture an address
is one point of its zone: with zones of other borders, fees are those at that point.

Without --threads there is one for each core that Node.js counts, at most 8. Node.js 20 counts those of
the machine, not a container's share: there --threads says how many.

The report shows satang; --format json has every digit, amounts as text. --html writes one page that
needs nothing else, to print or to send. Equal changes stand by requestId, then by the capture's hash,
which also names a capture without an id. Zones of a file are named by their hash.
${TALLY_HELP}
Examples:
  $ order-cost impact captures/ --catalogue catalogue/ --max-impact 0.5%
  $ order-cost impact captures/ --catalogue https://shop.example/catalogue --html impact.html
  $ order-cost impact captures/ --zones new-zones.geojson --policy freeShipping=waivesDelivery
  $ aws s3 cp s3://shop/captures.ndjson.zst - | order-cost impact - --zones-dir zones/ --catalogue catalogue/
  $ order-cost impact captures/part-7.ndjson --catalogue catalogue/ --tally tallies/7.json

Exit codes: 0 measured, and within --max-impact, 1 beyond it, 2 wrong usage, unreadable input, or no
capture with a total.`;

export const MERGE_HELP = `
The tallies are of parts of one set of captures, each counted by "order-cost impact --tally" with the
same change, or each by "order-cost replay --tally" with the same options, by this version. In any order
and grouping their sum is what one run over all parts gives: the same report, page and exit code, byte
for byte. With --tally it writes the sum as a tally.

It refuses tallies of both commands at once, of another version, module, change or option, and a part
that is counted twice: the same captures in the same sequence, whatever their files are called. Parts
without captures are none. Lines that --skip-broken has left out add up, too; it names the first ten by
file and line. Options of a report are those of the command that has counted.

Examples:
  $ order-cost merge tallies/*.json --max-impact 0.5% --html impact.html
  $ order-cost merge tallies/1*.json --tally first.json
  $ order-cost merge replayed/*.json --max-different 0.1%

Exit codes: 0 measured, and within --max-impact or --max-different, 1 beyond it, 2 wrong usage, unreadable
input, or no capture to compare.`;

export const COPY_CATALOGUE_HELP = `
The folder has the prices and zones of one version, each text read once and checked, and keeps them
whatever is activated later. Machines that count parts of the captures count with the same prices.

Examples:
  $ order-cost copy-catalogue https://shop.example/catalogue catalogue/
  $ order-cost impact captures/ --catalogue catalogue/

Exit codes: 0 copied, 2 wrong usage, or a catalogue that is unreadable or damaged.`;

export const COMPLETION_HELP = `
A line in a file makes it last, for an order-cost that is on the PATH:
  ~/.bashrc                   eval "$(order-cost completion bash)"
  ~/.zshrc, behind compinit   eval "$(order-cost completion zsh)"
  ~/.config/fish/config.fish  order-cost completion fish | source`;
