import { count, formatNumber } from "./plurals.ts"

const en = {
  title: "Authors",
  search: "Name, e-mail or username",
  none: "No authors yet. Import them with “pazar import FILE”.",
  noMatch: (text: string) => `No author matches “${text}”.`,
  total: (n: number) => count(n, "author", "authors"),
  author: "Author",
  active: "Active",
  invited: "Invited",
  noPassword: "No password",
  suspended: "Suspended",
  requests: "Requests, 7 days",
  sorts: {
    calls: "Most requests",
    seen: "Last active",
    name: "Username",
  },
  suspendedByShop: "Suspended by import",
  suspendedByOperator: "Suspended by an operator",
  lastSeen: "Last active",
  noSession: "No session",
}

const tr: typeof en = {
  title: "Yazarlar",
  search: "Ad, e-posta veya kullanıcı adı",
  none: "Henüz yazar yok. “pazar import DOSYA” ile içe aktarın.",
  noMatch: (text) => `“${text}” ile eşleşen yazar yok.`,
  total: (n) => `${formatNumber(n)} yazar`,
  author: "Yazar",
  active: "Etkin",
  invited: "Davetli",
  noPassword: "Parolası yok",
  suspended: "Askıda",
  requests: "İstek (7 gün)",
  sorts: {
    calls: "En çok istek",
    seen: "Son etkinlik",
    name: "Kullanıcı adı",
  },
  suspendedByShop: "İçe aktarma askıya aldı",
  suspendedByOperator: "Bir yönetici askıya aldı",
  lastSeen: "Son etkinlik",
  noSession: "Oturum yok",
}

export const authors = { en, tr }
