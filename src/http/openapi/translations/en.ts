import { webhooks } from "../../pages/translations/en-webhooks.ts"

/** All texts of the API's description, in English. `Texts` is made of this. */
export const en = {
  api: {
    title: "Pazar author API",
    description: `Reads an author's account and items, and validates purchase codes.

- Every request carries an API key: as the header \`X-Api-Key\`, as \`Authorization: Bearer\`, or as the parameter \`api_key\`. A header keeps the key out of logs.
- An error is \`{status, msg}\`. The status code and the header \`Pazar-Reason\`, which is never translated, say why.
- 429, 500 and 503 say nothing about the key, the item or the code: try again after \`Retry-After\` seconds.
- HEAD works wherever GET does. One trailing slash is ignored, and repeated slashes count as one.
- Unknown parameters are ignored. Blanks around a value are dropped, and a blank value counts as missing.
- An unknown path under \`/api\` is 404 with the reason \`unknown_path\`.`,
  },
  operator: {
    title: "Pazar operator API",
    description:
      "For the operator of a marketplace. Every request carries an operator token as `Authorization: Bearer`: one that `pazar token create` made, or that of the configuration. Without any token these paths do not exist.",
  },
  tags: {
    Account: "The account that owns the key.",
    Items: "The account's items.",
    Purchases: "Purchases of the account's items.",
    Envato: "For products that were written for Envato's API.",
    Webhooks: "What is sent to your own server.",
    Feed: "Accounts, items and purchases from the operator's shop.",
    Authors: "Signing authors in from the operator's own site.",
  },
  operations: {
    read_account: {
      summary: "Read the account",
      description: "The account that owns the key.",
    },
    list_items: {
      summary: "List all items",
      description:
        "Every visible item of the account, newest id first, without pages. A long list arrives in chunks. If the key ends while the list is sent, the connection is cut.",
    },
    read_item: {
      summary: "Read one item",
      description: "One visible item of the account, by its id.",
    },
    validate_purchase: {
      summary: "Validate a purchase code",
      description:
        "Returns the purchase if the code is valid. A purchase does not end: its code is valid until it is refunded or charged back, and `supported_until` is the end of support only. Send parameters in the query string or in the body; the body takes precedence, and is read by its content whatever its type. Ligatures, typographic dashes, invisible characters and the case of A to Z in a code do not matter. If two codes differ only in case, send the code exactly.",
    },
    release_site: {
      summary: "Release a site",
      description:
        "Frees the place of a site at once: before a buyer moves to another address, or when the product is removed. 404 `unknown_code` if the code is unknown or the site is not there, `revoked_code` if the purchase was refunded or charged back: never decide about the purchase by this answer. Five times in 30 days for each purchase, then 429 with a `Retry-After` of up to 30 days, which is about releases only.",
    },
    read_signing_keys: {
      summary: "Read the public signing keys",
      description:
        "The keys that signed answers are verified with, as a JWK set: the current one, the next one, then retired ones whose receipts have not expired. Needs no API key.",
    },
    find_sale: {
      summary: "Find a sale (Envato-compatible)",
      description:
        "The validation for products that were written for Envato: the base URL and the key are all that changes. Any key is taken, only as a bearer token. Always in English. `buyer` is null where the shop did not tell it.",
    },
    push_feed: {
      summary: "Push records",
      description:
        "Takes a feed: newline-delimited JSON, one record a line. Good lines are kept, bad ones are refused with every problem they have.",
    },
    create_link: {
      summary: "Create a sign-in link",
      description:
        "A link that signs this author in, once, within two minutes; it asks for a code if the author has a second factor. Ask for it when the author, who is signed in to your site, wants to enter the workspace, and redirect the browser there. 404 for an unknown account, 403 for a suspended one.",
    },
  },
  limits: {
    max_deletes:
      "The most purchases, items or accounts that the push may delete, each: a number or a share of those in the database. Default: 1%, but at least 20. More stop the push with 422.",
    max_revokes:
      "The most purchases that the push may revoke, in the same form and with the same default.",
  },
  webhooks: {
    events: webhooks.meanings,
    "webhook-id": "The ID of the message, the same at every try.",
    "webhook-timestamp":
      "When it was sent, in seconds since 1970. Refuse one that is more than five minutes away.",
    "webhook-signature":
      "`v1,` and the HMAC-SHA-256 of ID, `.`, timestamp, `.` and body in base64, under the bytes of the secret. For a day after the secret was replaced there are two, with a space between.",
    body: "The event.",
    taken: "Taken. Any status from 200 to 299 will do; the body is not looked at.",
    gone: "The address is gone: nothing is sent to it any more.",
    username: "The author. Only operators get it.",
  },
  parameters: {
    item_id: "The id of the item.",
    purchase_code: "The purchase code, at most 255 characters once normalised.",
    site: "Where the code is used: the address of the site, at most 255 characters. Scheme, `www.`, port, path and case do not matter. A single word without a dot is a test site, which is never limited. `domain` is read where it is missing. A validation takes an unusable value as not sent, and without a site nothing is limited.",
    nonce:
      "Asks for a signed answer, which carries it. Random, and another one for each request. The answers 200 and 404 are then signed.",
    code: "The purchase code, normalised as `purchase_code` is.",
    lang: "The language of `status` and `msg`. Takes precedence over `Accept-Language`.",
    "Accept-Language": "The language of `status` and `msg`. Without it, the site's own.",
    "If-None-Match":
      "The `ETag` of an earlier answer. If the answer is still the same, it is an empty 304.",
  },
  body: "The parameters. All three forms hold the same ones. `api_key` may be among them; a header is the better place for it.",
  security: {
    header: "The API key as a header.",
    bearer: "The API key as a bearer token.",
    parameter: "The API key as a parameter. It ends up in logs: prefer a header.",
    operator: "An operator token.",
  },
  statuses: {
    200: "Success.",
    304: "Not modified: the client's copy is current.",
    400: "A parameter is missing or malformed, or the body was cut off.",
    401: "The key is missing, unknown, revoked or expired.",
    403: "The key may not do this, or its account is suspended.",
    404: "Not found. What belongs to other accounts gives the same answer.",
    405: "The method is not allowed; `Allow` lists those that are.",
    408: "No data came for a minute.",
    413: "The body is longer than 64 KB.",
    422: "Some lines were refused. The others are kept.",
    429: "Too many requests. Try again after `Retry-After` seconds.",
    500: "A temporary error; it does not mean “no”. Try again after `Retry-After` seconds.",
    503: "A temporary error; it does not mean “no”. Try again after `Retry-After` seconds.",
  },
  /** In place of the same statuses above: an operator has a token and no key. */
  operatorStatuses: {
    401: "The token is missing, unknown or expired.",
    403: "The token may not do this, or the account is suspended.",
  },
  reasons: {
    ok: "done",
    missing_key: "the request has no key",
    unknown_key: "there is no such key",
    revoked_key: "the key was revoked",
    expired_key: "the key has expired, or was replaced and its time is over",
    key_not_allowed: "a validation key asked for more than validations and releases",
    account_suspended: "the marketplace has suspended the account",
    missing_parameter: "a parameter is missing",
    invalid_parameter: "a parameter is malformed",
    no_items: "the account has no visible item",
    unknown_item: "the account has no visible item with this id",
    unknown_code:
      "the account has no purchase with this code that the key may validate, or, after a release, the code is not in use on this site",
    revoked_code: "the purchase was refunded or charged back",
    site_limit: "the code is used on as many sites as its author allows",
    method_not_allowed: "another method than those in `Allow`",
    unknown_path: "there is no such path",
    too_large: "the body is longer than 64 KB",
    rate_limited: "too many requests",
    unavailable: "cannot say",
  },
  members: {
    Account: {
      name: "The name of the author.",
      "name.firstname": "The first name.",
      "name.lastname": "The last name.",
      "name.full_name": "As the marketplace shows it.",
      username: "The name on the marketplace. It may change.",
      email: "The address that the marketplace writes to.",
      balance: "What the marketplace owes the author, in `currency`.",
      currency: "Of `balance`: three letters, as in ISO 4217.",
      profile: "What buyers see of the author.",
      "profile.heading": "A short text about the author.",
      "profile.description": "Plain text or HTML, as the marketplace has it.",
      "profile.contact": "How buyers reach the author.",
      "profile.contact.email": "The address for support.",
      "profile.social_links":
        "An address for each network, by its name. More networks may follow, and none has to be there.",
      "profile.media": "Pictures.",
      "profile.media.avatar": "The author’s picture.",
      "profile.media.cover": "The cover picture of the profile.",
      registered_at: "When the author joined, in UTC.",
    },
    Item: {
      id: "Never changes. Compare it with the id of your product.",
      name: "The title.",
      description: "Plain text or HTML, as the marketplace has it.",
      category: "The name of the category.",
      sub_category: "The name of the category below it.",
      options: "What is included, such as documentation. May be empty.",
      version: "Three numbers with dots. A product can compare it with its own to offer an update.",
      demo_link: "Where the item can be seen.",
      tags: "May be empty.",
      media: "Addresses of pictures, audio and video. Its members depend on the kind of the item.",
      "media.thumbnail": "A small picture.",
      "media.preview_audio": "Audio items only.",
      "media.screenshots": "Left out if there are none.",
      "media.preview_image": "All but audio items.",
      "media.preview_video": "Video items only.",
      price: "What the item costs today, in `currency`.",
      "price.regular": "Of a Regular licence.",
      "price.extended": "Of an Extended licence.",
      currency: "Of `price`.",
      published_at: "When it was first on sale, in UTC.",
    },
    Purchase: {
      purchase_code: "As it was sold, also if it was asked for in another spelling.",
      license_type: "Any text that the marketplace uses; often `Regular` or `Extended`.",
      price: "What the buyer paid, which may differ from today’s `item.price`.",
      currency: "Of the `price` that was paid.",
      supported_until: "The end of support, in UTC. Left out if there is none.",
      downloaded: "Whether the buyer has downloaded the item at least once.",
      date: "When it was bought, in UTC.",
      item: "The item as it is today, also if it is hidden.",
    },
  },
  headers: {
    "Request-Id": "Names this answer in the operator's log.",
    "Pazar-Reason": "Why, as a constant that is never translated:",
    "Content-Language": "The language of `status` and `msg`.",
    "Cache-Control": "How long an answer may be kept, and by whom.",
    "X-Content-Type-Options": "Always `nosniff`.",
    "WWW-Authenticate": "How to send the key.",
    "Retry-After": "Seconds to wait before the next try.",
    "RateLimit-Policy":
      "A rate limit: its name, `q` calls at once, and the `w` seconds in which they all come back. Where limits are on.",
    RateLimit:
      "The `r` calls that are left of it, and the `t` seconds until all are back. Where limits are on.",
    Vary: "The request headers that this answer depended on.",
    ETag: "A strong validator of this answer, for `If-None-Match`.",
    Allow: "The methods of this path.",
    "Access-Control-Allow-Origin":
      "Lets web pages of any site read the answer. Left off where the key belongs on a server.",
    "Access-Control-Expose-Headers": "The headers that such a page may read.",
    "Unencoded-Digest": "The digest of the body before any compression. Only on signed answers.",
    "Pazar-Question":
      "The digest of the key, a line feed, `purchase_code`, and if `site` was sent a line feed and `site`, each as it was sent. Only on signed answers.",
    "Signature-Input": "What is signed, when, until when and by which key, as in RFC 9421.",
    Signature:
      "The Ed25519 signature, as in RFC 9421. The public keys are at `/.well-known/pazar-keys.json`.",
  },
}

export type Texts = typeof en
