import { number } from "../../workspace/translations/counting.ts"
import type { ConsoleWords } from "./en.ts"

export const status: ConsoleWords["status"] = {
  title: "Durum",
  noWarnings: "“pazar doctor” komutunun hızlı denetimleri bir sorun bulmadı.",
  warnings: "Uyarılar",
  warningsHint:
    "Hızlı denetimlerden. Sunucuda “pazar doctor” komutu veri deposunu ve yedekleri de inceler.",
  levels: { warning: "Uyarı", problem: "Sorun" },
  readiness: "Bu sunucu",
  ready: "Hazır",
  notReady: "Hazır değil",
  version: "Sürüm",
  store: "Veri deposu",
  schema: "Şema",
  disk: "Disk",
  diskFree: (free, store) => `${free} boş; veri deposu ${store} kaplıyor`,
  replicas: "Çoğaltma",
  noReplicas: "Yapılandırılmış bir kopya yok.",
  behind: (seconds) => `${number(seconds)} saniye geride`,
  lastBackup: "Son yedek",
  postgresBackup: "PostgreSQL kendi araçlarıyla yedeklenir; bu araçlar buraya bilgi vermez.",
  lastImport: "Son içe aktarma",
  noImport: "Henüz bir şey içe aktarılmadı.",
  via: { file: "dosyadan", pull: "çekilerek", push: "gönderilerek" },
  unfinished: "bitmedi: yarıda kesildi veya sürüyor",
  counts: (accepted, rejected, removed) =>
    `${number(accepted)} kabul, ${number(rejected)} ret, ${number(removed)} silme`,
  nodes: "Bu veri deposundaki sunucular",
  noNodes: "Henüz hiçbir sunucu kendini bildirmedi. Her biri dakikada bir bildirir.",
  host: "Makine",
  address: "Adres",
  threads: "İş parçacığı",
  since: "Çalışmaya başladı",
}
