/**
 * Passwords that are guessed first. The sign-in allows 160 tries in ten minutes for a name, so a guesser
 * can try thousands of passwords, not millions. A few thousand words with rules for their variants cover
 * those; a list of millions would cost megabytes and stop no more guesses.
 */
import { foldLetters } from "../values/text.ts"
import words from "./common-words.txt" with { type: "text" }

/** Digits and signs that people add to a word: 12, 1905, 2026!. */
const addedCharactersMax = 8
/** A password of fewer different characters, such as 1212111212, is a pattern. */
const distinctCharactersMin = 4
/** A repeated piece counts once; a shorter piece makes no password. */
const pieceCharactersMin = 10
const runCharactersMin = 3
/** So few characters between runs, as in 123456789a, make no password. */
const strayCharactersMax = 2
const nameCharactersMin = 3

/** One or two common words, a sequence, or one repeated piece. */
export function isCommonPassword(password: string): boolean {
  const folded = foldLetters(password)
  return (
    new Set(folded).size < distinctCharactersMin ||
    commonPatterns.has(folded) ||
    pieceLength(folded) < Math.min(pieceCharactersMin, folded.length) ||
    isMadeOfRuns(folded) ||
    isCounted(folded) ||
    // 1122334455 is 12345 to a guesser.
    isMadeOfRuns(folded.replace(/(.)\1+/gu, "$1")) ||
    isMadeOfWords(folded, (text) => isOneOrTwo(text, commonWords) || isVariant(text))
  )
}

/** One of these names, or two, alone or with a few digits or signs. */
export function isMadeOfNames(password: string, names: readonly string[]): boolean {
  const folded = foldLetters(password)
  const known = names.map(foldLetters).flatMap((name) => [name, trimEnds(name)].map(withoutSigns))
  const words = new Set(known.filter((name) => [...name].length >= nameCharactersMin))
  return words.has(withoutSigns(folded)) || isMadeOfWords(folded, (text) => isOneOrTwo(text, words))
}

/** The length of the shortest piece whose repetition gives this text; the last one may be partial. */
function pieceLength(text: string): number {
  for (let length = 1; length <= text.length / 2; length += 1) {
    if (text.slice(length) === text.slice(0, -length)) return length
  }
  return text.length
}

/** Neighbours in the alphabet and on keyboards (QWERTY, Turkish Q and F), accents aside. */
const rows = [
  ...["abcdefghijklmnopqrstuvwxyz", "abccdefgghiijklmnooprsstuuvyz", "12345678901234567890"],
  ...["qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./", "qwertyuiopgu", "asdfghjklsi", "zxcvbnmoc"],
  ...["fggiodrnhpqw", "uieautkmlysx", "jovcczsb", "qazwsxedcrfvtgbyhnujmikolp"],
  ...["1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0"],
  ...["a1b2c3d4e5f6g7h8i9j0", "1a2b3c4d5e6f7g8h9i0j"],
]
const directions = [...rows, ...rows.map((row) => [...row].reverse().join(""))]

function isMadeOfRuns(text: string): boolean {
  let strays = 0
  for (let at = 0; at < text.length; ) {
    const length = runLength(text, at)
    if (length < runCharactersMin) strays += 1
    at += length < runCharactersMin ? 1 : length
  }
  return strays <= strayCharactersMax
}

/** Any short word with the digits that most people add: gazoz12345, hinge777. */
function isCounted(text: string): boolean {
  const [, digits] = /^\p{L}{1,8}(\d{3,})$/u.exec(text) ?? []
  return digits !== undefined && ("1234567890".startsWith(digits) || /^(\d)\1+$/.test(digits))
}

/** How many characters from `at` on stand side by side in one of the rows. */
function runLength(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && directions.some((row) => row.includes(text.slice(at, end + 1)))) {
    end += 1
  }
  return end - at
}

/** Such words, little around them, letters perhaps written as digits and signs. */
function isMadeOfWords(folded: string, areWords: (text: string) => boolean): boolean {
  return listCores(folded).some((core) =>
    [core, spellOut(core)].map(withoutSigns).some((text) => areWords(text)),
  )
}

/** Common additions to a word: `my` and `the` before it, English and Turkish endings after it. */
const opening = /^(?:my|the|mr|im|i|ilove|big|lil|little|super|benim|canim)(?=.{4})/
const ending =
  /(?<=.{4})(?:e?s|y|ie|ed|er|ing|boy|girl|man|baby|lover|fan|[iu]?m|[iu]n|sin|l[ae]r|l[iu]|c[iu]m?|spor)$/

/** A word of the longer list, perhaps backwards, or with something before or after it. */
function isVariant(text: string): boolean {
  const backwards = [...text].reverse().join("")
  return [text, backwards, text.replace(opening, ""), text.replace(ending, "")].some(
    (word) => commonWords.has(word) || singleWords().has(word),
  )
}

/** Without some of the digits and signs at its ends: p@ssw0rd! may end in "d" or in "di". */
function listCores(folded: string): readonly string[] {
  const before = folded.search(/\p{L}|$/u)
  const after = folded.length - folded.replace(/\P{L}+$/u, "").length
  const cores: string[] = []
  for (let start = 0; start <= Math.min(before, addedCharactersMax); start += 1) {
    for (let end = 0; end <= Math.min(after, addedCharactersMax - start); end += 1) {
      cores.push(folded.slice(start, folded.length - end))
    }
  }
  return cores
}

function isOneOrTwo(text: string, words: ReadonlySet<string>): boolean {
  if (words.has(text)) return true
  return Array.from(text).some((_, at) => words.has(text.slice(0, at)) && words.has(text.slice(at)))
}

const trimEnds = (text: string) => text.replace(/^\P{L}+/u, "").replace(/\P{L}+$/u, "")
const withoutSigns = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "")

const letterOf: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
}
const spellOut = (text: string) => text.replace(/[013457@$!]/g, (sign) => letterOf[sign] ?? sign)

const listOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/**
 * Names, places, brands and other words that are used alone, with digits and signs around them. The list is
 * made when a password is first set.
 */
export const singleWords = createOnce(() => listOf(words))

function createOnce<T>(create: () => T): () => T {
  let created: T | null = null
  return () => {
    created ??= create()
    return created
  }
}

/** Used alone, in pairs, or with digits and signs around them. */
export const commonWords = listOf(`
password passwords passwort passord pass passphrase mypassword thepassword yourpassword newpassword oldpassword
nopassword secret topsecret mysecret secure security private access login logon signin welcome letmein letmeinnow
pleaseletmein opensesame abracadabra changeme changethis default temp temporary test tests testing tester
demo sample example admin admins administrator root toor user users username guest manager operator master support
service server system database oracle mysql postgres postgresql wordpress laravel envato themeforest codecanyon
market marketplace author theme themes plugin plugins seller vendor shop store license licence apikey api computer
internet google gmail hotmail yahoo facebook twitter instagram youtube whatsapp samsung nokia iphone android apple
amazon microsoft windows linux ubuntu debian docker github hello helloworld world goodmorning goodbye whatever
nothing something nobody anything idontknow nevermind justdoit trustno trustnoone iloveyou iloveu ilovegod
ilovejesus iloveme iloveyousomuch iloveyouforever loveyou loveyouforever love lover lovely loveme mylove ihateyou
fuckyou fuckoff fuckme asshole bullshit whatthefuck whatthehell sunshine princess prince queen king angel angels
baby babygirl babyboy sweetheart honey sugar cookie chocolate banana orange cherry strawberry cheese pepper ginger
coffee pizza purple yellow silver golden diamond crystal flower flowers butterfly rainbow summer winter spring autumn
january february march april june july august september october november december monday tuesday wednesday thursday
friday saturday sunday dragon monkey tiger lion eagle eagles wolf panther dolphin horse kitty hellokitty puppy bear
superman batman spiderman ironman wonderwoman pokemon pikachu naruto starwars startrek harrypotter lordoftherings
gameofthrones breakingbad matrix ninja samurai warrior hunter killer shadow phantom ghost phoenix thunder lightning
maverick mustang ferrari porsche mercedes corvette camaro harley football footballer baseball basketball soccer
hockey tennis golfer champion winner liverpool arsenal chelsea barcelona realmadrid manchester manchesterunited
juventus bayern yankees cowboys steelers lakers patriots ronaldo cristianoronaldo messi lionelmessi jordan
michaeljordan michaeljackson justinbieber onedirection metallica nirvana slipknot ironmaiden linkinpark bobmarley
minecraft fortnite roblox counterstrike callofduty leagueoflegends worldofwarcraft playstation nintendo xbox
freedom blessed jesus christ jesuschrist god godisgood godisgreat ingodwetrust heaven forever family mother father
mom dad brother sister friend friends bestfriend michael jennifer jessica ashley amanda nicole daniel charlie thomas
george andrew joshua matthew robert anthony william alexander alexandra benjamin christian christopher elizabeth
samantha stephanie victoria michelle melissa patricia richard jonathan sebastian gabriel fernando carlos antonio
correcthorsebatterystaple thequickbrownfox supercalifragilisticexpialidocious theworldisyours qwerty qwertz azerty
asdf asdfgh zxcvbn qazwsx wasd asdasd qweqwe qweasd abc abcd abcdef xyz

pazar pazaryeri sifre sifrem sifreyok sifremyok sifreler sifremiunuttum sifregiriniz sifrenizigirin benimsifrem
yenisifre eskisifre gizlisifre parola parolam parolayok parolami benimparolam yeniparola gizli gizlice anahtar giris
girisyap hesap hesabim kullanici kullaniciadi yonetici yonetim deneme denemesifre gecici merhaba merhabadunya dunya
selam selamlar naber nasilsin hosgeldin hosgeldiniz hosbulduk gunaydin iyigeceler bilgisayar bilmiyorum
hatirlamiyorum unuttum kimseyesoyleme galatasaray galatasarayim fenerbahce fenerbahcem besiktas besiktasim
trabzonspor bursaspor goztepe karsiyaka ankaragucu eskisehirspor samsunspor kocaelispor adanademirspor cimbom
cimbombom ultraslan kanarya karakartal carsi carsiherseyekarsi enbuyukcimbom enbuyukfener enbuyukbesiktas sampiyon
istanbul ankara izmir bursa antalya adana konya trabzon gaziantep kayseri mersin samsun diyarbakir eskisehir sakarya
kocaeli malatya erzurum sivas rize ordu mugla bodrum marmaris kibris karadeniz akdeniz ege anadolu turkiye turkiyem
turkey turk turkler turkum turkish nemutluturkum nemutluturkumdiyene ataturk mustafa kemal mustafakemal
mustafakemalataturk gazimustafakemal cumhuriyet vatan vatanim bayrak istiklal istiklalmarsi osmanli fatih sultan
bozkurt ulkucu kurtlarvadisi polat alemdar polatalemdar recepivedik nasreddinhoca keloglan allah allahim allahbuyuk
allahbuyuktur allahuekber allahbirdir bismillah bismillahirrahmanirrahim elhamdulillah subhanallah masallah insallah
muhammed hzmuhammed islam musluman kuran ramazan seni seviyorum seniseviyorum senicokseviyorum seniseviyorumaskim
sevgi sevgilim askim askimsin askimaskim ask canim canimsin canimbenim canimannem canimbabam canimailem
hayat hayatim hayatguzel hayatguzeldir hayatdevamediyor herseyguzelolacak birtanem bitanem bebegim gulum melek
melegim prenses prensesim kral kralice kralim anne annem baba babam annembabam kardesim abim ablam ailem oglum kizim
aslan aslanim kaplan kartal kurt kedi kedicik kopek balik kelebek papatya cicek gul lale yildiz yildizlar gunes ay
deniz mavi siyah beyaz kirmizi sari lacivert yesil sarikirmizi sarilacivert siyahbeyaz bordomavi karanlik yalniz
yalnizlik umut hayal ruya mutluluk mutluyum okul ogretmen ogrenci doktor muhendis avukat polis asker komando yazar
satici magaza urun alisveris mehmet mehmetcik ahmet ali veli aliveli hasan huseyin ibrahim ismail osman murat emre
burak can cem cenk kerem kaan arda berk yusuf omer suleyman halil recep tayyip hakan serkan volkan gokhan
tolga onur ugur baris savas ayse fatma zeynep elif emine hatice merve esra busra kubra tugba gizem seda sevda ozlem
derya pinar ebru sibel yasemin melisa irem ceren nazli nur gulsah dilara yagmur rabia sumeyye selin asli
`)

/** Whole passwords that no rule finds: walks over a number pad, constants, crossed rows of keys. */
export const commonPatterns = listOf(`
1029384756 0192837465 5647382910 6574839201 1472583690 0147258369 147258369a 7418529630 9638527410 1597534862
1593574862 1593572486 7539514862 1357924680 2468013579 1357908642 0246813579 3141592653 31415926535 314159265358
3141592654 2718281828 1618033988 1123581321 1236987450 7412369850 9517538426 0102030405 0102030405060708 1020304050
102030405060 9080706050 1213141516 1112131415 2021222324 0123698745 1470258369 3692581470 1324354657 qpalzmwoskxn
qpwoeiruty qpwoeirutyalskdjfhg alskdjfhgqpwoeiruty zmxncbvalskdj plokijuhyg plmoknijbuhv mkonjibhuvgy zaq!xsw@cde#
!qaz@wsx#edc qawsedrftg qawsedrftgyh awsedrftgy azsxdcfvgb azsxdcfvgbhn sxdcfvgbhn a2s3d4f5g6 z1x2c3v4b5 1z2x3c4v5b
z1x2c3v4b5n6 1s2d3f4g5h !@#$%^&*() !@#$%^&*()_+ 1!2@3#4$5% 1!q2@w3#e4$r q!w@e#r$t% aqswdefrgt aqzsedrftg
`)
