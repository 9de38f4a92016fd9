import { text } from "./text.ts"

export const errors = {
  403: {
    title: text("Not allowed", "İzin verilmedi"),
    text: text(
      "The form was sent from another site or was open for too long. Go back, reload the page and try again.",
      "Form başka bir siteden gönderildi ya da çok uzun süre açık kaldı. Geri dönüp sayfayı yenileyin ve yeniden deneyin.",
    ),
  },
  404: {
    title: text("Not found", "Bulunamadı"),
    text: text(
      "This page does not exist, or you do not have access to it. Check the URL, or continue here:",
      "Bu sayfa yok ya da erişiminiz yok. URL'yi kontrol edin ya da buradan devam edin:",
    ),
  },
  405: {
    title: text("Request not supported", "Bu istek desteklenmiyor"),
    text: text(
      "This URL does not accept this kind of request. Go back and try again.",
      "Bu URL bu tür istekleri kabul etmez. Geri dönüp yeniden deneyin.",
    ),
  },
  413: {
    title: text("Too large", "Çok büyük"),
    text: text(
      "You sent more than this page accepts. Shorten it and try again.",
      "Gönderdiğiniz veri bu sayfa için çok büyük. Kısaltıp yeniden deneyin.",
    ),
  },
  421: {
    title: text("Wrong host", "Yanlış sunucu adı"),
    text: text(
      "These pages have another URL. Open them from the link that you received.",
      "Bu sayfaların URL'si başka. Sayfaları size gönderilen bağlantıdan açın.",
    ),
  },
  500: {
    title: text("Something went wrong", "Bir hata oluştu"),
    text: text(
      "The server had an error. Try again in a moment.",
      "Sunucuda bir hata oluştu. Birazdan yeniden deneyin.",
    ),
  },
  503: {
    title: text("Temporarily unavailable", "Şu anda kullanılamıyor"),
    text: text(
      "The service cannot respond right now. Try again in a moment.",
      "Hizmet şu anda yanıt veremiyor. Birazdan yeniden deneyin.",
    ),
  },
  home: text("Go to the start page", "Ana sayfaya git"),
  overview: text("Go to the overview", "Genel bakışa git"),
}
