/** Section 7 of the contract as data, copied from the contract and not from the program. */
export const languages = ["en", "tr"] as const
export type Language = (typeof languages)[number]

export const statusTexts = {
  en: { success: "success", error: "error" },
  tr: { success: "başarılı", error: "hata" },
} as const

export type Operation = Readonly<{
  name: string
  method: "GET" | "POST"
  path: string
  parameter: string | null
  message: Readonly<Record<Language, string>>
}>

export const accountDetails: Operation = {
  name: "account details",
  method: "GET",
  path: "/api/account/details",
  parameter: null,
  message: { en: "Invalid request", tr: "Geçersiz istek" },
}
export const allItems: Operation = {
  name: "all items",
  method: "GET",
  path: "/api/items/all",
  parameter: null,
  message: { en: "Ürün bulunamadı", tr: "Ürün bulunamadı" },
}
export const oneItem: Operation = {
  name: "one item",
  method: "GET",
  path: "/api/items/item",
  parameter: "item_id",
  message: { en: "Item Not Found", tr: "Ürün Bulunamadı" },
}
export const purchaseValidation: Operation = {
  name: "purchase validation",
  method: "POST",
  path: "/api/purchases/validation",
  parameter: "purchase_code",
  message: { en: "Invalid purchase code", tr: "Geçersiz satın alma kodu" },
}
export const operations = [accountDetails, allItems, oneItem, purchaseValidation]

export const generalMessages = {
  rate_limited: { en: "Too many requests", tr: "Çok fazla istek" },
  unavailable: { en: "Service unavailable", tr: "Hizmet şu anda kullanılamıyor" },
  method_not_allowed: { en: "Method not allowed", tr: "Yönteme izin verilmiyor" },
  too_large: { en: "Request too large", tr: "İstek çok büyük" },
  unknown_path: { en: "Invalid request", tr: "Geçersiz istek" },
} as const

/** Written out instead of JSON.stringify, because the order of fields matters. */
export const errorBody = (msg: string, language: Language) =>
  `{"status":"${statusTexts[language].error}","msg":${JSON.stringify(msg)}}`
