/** The texts of the page where a buyer gets a receipt by hand. */
export const activation = {
  title: "Activate by hand",
  intro:
    "For products that cannot reach this server themselves. Enter your purchase code, copy the receipt, and paste it into the settings of the product.",
  site: "The receipt is for this site only:",
  submit: "Get a receipt",
  receipt: "Receipt",
  pasteSoon: "Paste it soon. It counts for a limited time from then.",
  outcomes: {
    no_script: "This page needs JavaScript. Please turn it on and open the link again.",
    no_link:
      "This address is not complete. Please open the link in the settings of your product again.",
    validating: "Checking the code…",
    ok: "The code is valid. Copy the receipt and paste it into your product.",
    unknown_code: "This purchase code is not known. Please check it.",
    revoked_code: "This purchase was refunded or charged back.",
    site_limit:
      "This purchase code is in use on as many sites as its licence allows. Free the place of a site that no longer uses it, in the settings of the product there, or ask the author. A site that was not seen for 30 days frees its place by itself.",
    key: "The key of the product is no longer accepted. Please update the product, or ask its author.",
    unknown:
      "The code cannot be checked right now. This does not mean that it is wrong. Please try again in a few minutes.",
  },
}
