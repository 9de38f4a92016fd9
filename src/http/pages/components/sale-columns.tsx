import type { Sale } from "../../../domain/catalog/sale.ts"
import { type CsvColumn, csvTimestamp } from "../csv.ts"
import type { View } from "../view.ts"
import { displayName, licenseLabel, Pill, Time } from "./formatted-values.tsx"
import type { Column } from "./panels-and-tables.tsx"

/** Long names would make the page too large. */
export const shortName = (name: string | null, fallback: string | number) =>
  displayName(name ?? "", fallback, 60)

/** The columns that the lists of the workspace and of the console share. */
export const saleColumns = (view: View): readonly Column<Sale>[] => [
  {
    head: view.texts.sales.buyerAndLicense,
    cell: ({ buyer, licenseType }) => (
      <>
        <bdi>{shortName(buyer, "–")}</bdi>{" "}
        <div class="hint">
          <bdi>{shortName(licenseLabel(view, { license_type: licenseType }), "–")}</bdi>
        </div>
      </>
    ),
  },
  {
    head: view.texts.sales.date,
    cell: ({ soldAt }) => <Time view={view} at={soldAt} form="datetime" />,
  },
  {
    head: view.texts.columns.state,
    isClear: true,
    cell: ({ isRefunded }) => (
      <Pill tone={isRefunded ? "danger" : "good"}>
        {view.texts.sales.states[isRefunded ? "refunded" : "valid"]}
      </Pill>
    ),
  },
]

export function saleCsvColumns(view: View): readonly CsvColumn<Sale>[] {
  const { columns, items, lists, sales } = view.texts
  return [
    { head: columns.code, cell: ({ code }) => code },
    { head: items.id, cell: ({ itemId }) => itemId },
    { head: columns.item, cell: ({ itemName }) => itemName },
    { head: columns.buyer, cell: ({ buyer }) => buyer },
    {
      head: columns.license,
      cell: ({ licenseType }) => licenseLabel(view, { license_type: licenseType }),
    },
    { head: lists.csv.inUtc(sales.date), cell: ({ soldAt }) => csvTimestamp(soldAt) },
    {
      head: columns.state,
      cell: ({ isRefunded }) => sales.states[isRefunded ? "refunded" : "valid"],
    },
  ]
}

export function authorSaleCsvColumns(view: View): readonly CsvColumn<Sale>[] {
  const { sales: texts, lists } = view.texts
  return [
    ...saleCsvColumns(view),
    {
      head: lists.csv.inUtc(texts.supportEnd),
      cell: ({ supportedUntil }) => supportedUntil && csvTimestamp(supportedUntil),
    },
    { head: texts.sites, cell: ({ sites }) => sites },
  ]
}
