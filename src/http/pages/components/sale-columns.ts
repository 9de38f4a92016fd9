import type { Sale } from "../../../domain/catalog/sale.ts"
import { type CsvColumn, csvTimestamp } from "../csv.ts"
import type { View } from "../view.ts"
import { licenseLabel } from "./formatted-values.tsx"

export function saleColumns(view: View): readonly CsvColumn<Sale>[] {
  const { columns, sales, csv, items } = view.texts
  return [
    { head: columns.code, cell: ({ code }) => code },
    { head: items.id, cell: ({ itemId }) => itemId },
    { head: columns.item, cell: ({ itemName }) => itemName },
    { head: columns.buyer, cell: ({ buyer }) => buyer },
    {
      head: columns.license,
      cell: ({ licenseType }) => licenseLabel(view, { license_type: licenseType }),
    },
    { head: csv.inUtc(sales.date), cell: ({ soldAt }) => csvTimestamp(soldAt) },
    {
      head: columns.state,
      cell: ({ isRefunded }) => sales.states[isRefunded ? "refunded" : "valid"],
    },
  ]
}

export function authorSaleColumns(view: View): readonly CsvColumn<Sale>[] {
  const { sales: texts, csv } = view.texts
  return [
    ...saleColumns(view),
    {
      head: csv.inUtc(texts.supportEnd),
      cell: ({ supportedUntil }) => supportedUntil && csvTimestamp(supportedUntil),
    },
    { head: texts.sites, cell: ({ sites }) => sites },
  ]
}
