import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Marketplace, openMarketplace, sold } from "../harness/marketplace.ts"
import { runPhp } from "../harness/php/php.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace()
})
afterAll(() => market.close())

test("a product written for Envato, in PHP with cURL as most of them, finds the sale", async () => {
  const script = `
    $curl = curl_init(getenv("TARGET"));
    curl_setopt($curl, CURLOPT_HTTPHEADER, [
      "Content-length: 0",
      "Content-type: application/json; charset=utf-8",
      "Authorization: bearer " . getenv("API_KEY"),
    ]);
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    curl_setopt($curl, CURLOPT_CONNECTTIMEOUT, 5);
    curl_setopt($curl, CURLOPT_USERAGENT, "Purchase code verification");
    $sale = json_decode(curl_exec($curl), true);
    $isRight = curl_getinfo($curl, CURLINFO_HTTP_CODE) === 200 && $sale["item"]["id"] == 11;
    echo $isRight && strtotime($sale["supported_until"]) > strtotime($sale["sold_at"]) ? $sale["license"] : "no";`
  const env = {
    TARGET: `${market.url}/v3/market/author/sale?code=${sold.purchase_code}`,
    API_KEY: market.keys.validation,
  }
  expect(await runPhp(["-r", script], { env })).toEqual({
    status: 0,
    stdout: "Regular License",
    stderr: "",
  })
})
