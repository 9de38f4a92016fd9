import type { UrlProblem } from "../../../domain/events/endpoint.ts"
import { count } from "./plurals.ts"

const urlProblems: Readonly<Record<UrlProblem, string>> = {
  protocol: "The address must begin with https://",
  length: "The address is too long.",
  password: "Leave the user name and the password out of the address.",
  network: "This address cannot be reached from the internet.",
}

/** The texts of the endpoints that events are sent to. */
export const webhooks = {
  title: "Webhooks",
  intro:
    "Your own server is told when something happens: a sale, a refund, a key that others know. Each event is sent to those of the addresses below that chose it.",
  introOperator:
    "The shop's own server is told of the events of all authors, of invitations, failed imports and overdue pulls.",
  docs: "Events and how to verify them",
  none: "There is no webhook yet. Nothing is sent.",
  add: "Add a webhook",
  urlHint: "It begins with https:// and can be reached from the internet.",
  events: "Events",
  eventsHint: "Leave empty to receive all events, including future ones.",
  allEvents: "All events",
  enabled: "On",
  disabled: "Off",
  failing: "Fails",
  pending: "Waiting",
  created: "Added",
  failingSince: (when: string) =>
    `This address has taken no message since ${when}. After five days of failed tries it is turned off.`,
  reasons: {
    owner:
      "It was turned off by hand. What waits is sent when you turn it on; what happens meanwhile is not told.",
    gone: "It answered 410 (gone), so it was turned off. Check the address, then turn it on.",
    failing:
      "Every try failed for five days, so it was turned off. Fix the server at this address, then turn it on: what waits is sent.",
    full: "Too many messages waited (1,000,000, or 100,000 after an hour of failed attempts), so it was turned off. Fix the server at this address, then turn it on: what waits is given up.",
  },
  attention: (address: string) => `The webhook ${address} was turned off: nothing is sent to it.`,
  see: "See why",
  urlProblems,
  tooMany: (max: number) =>
    `There are ${count(max, "webhook", "webhooks")} already. Remove one first.`,
  unknownEvent: "There is no such event. Choose from the list.",
  /** After a change, by its name. */
  done: {
    made: "The webhook was added. Put its secret into your server, then send a test event.",
    changed: "The webhook was changed.",
    replaced: "The secret was replaced. Put the new one into your server within a day.",
    turnedOn: "The webhook is on.",
    turnedOff: "The webhook is off. What waits is kept; what happens meanwhile is not told.",
    removed: "The webhook was removed.",
    tested: "A test event is on its way. Load this page again to see the answer.",
    resent: "The message is on its way again, with the same ID.",
  },
  edit: "Change",
  editTitle: "Change the webhook",
  secret: "Secret",
  secretHint: "Your server verifies with it that a message is from here.",
  reveal: "Reveal",
  hide: "Hide",
  revealTitle: "Show the secret?",
  revealText: "Showing the secret asks for your password.",
  rotate: "Replace the secret",
  rotateTitle: "Replace the secret?",
  rotateText:
    "You get a new secret. For a day, or until you replace it again, messages are signed with both, so that your server can change over. After that the old one is worth nothing.",
  bothUntil: (when: string) =>
    `Messages are also signed with the secret before this one until ${when}.`,
  enable: "Turn on",
  disable: "Turn off",
  remove: "Remove",
  removeTitle: "Remove the webhook?",
  removeText: (address: string, waiting: number) =>
    `Nothing is sent to ${address} any more${waiting === 0 ? "" : `, and ${count(waiting, "message that waits is", "messages that wait are")} lost`}. Its deliveries and its secret are deleted. This cannot be undone.`,
  test: "Send a test event",
  tooManyTests: (max: number) =>
    `You can send ${count(max, "test event", "test events")} a minute. Wait a minute, then try again.`,
  deliveries: "Deliveries of the last 30 days, at most 1,000",
  noDeliveries: "Nothing was sent yet.",
  event: "Event",
  createdAt: "Made",
  states: { waiting: "Waiting", delivered: "Delivered", failed: "Failed" },
  attempts: "Tries",
  response: "Answer",
  noResponse: "No answer yet",
  emptyResponse: "The answer was empty.",
  nextAttempt: "Next try",
  immediately: "At once",
  lastAttempt: "Last try",
  redeliver: "Send again",
  isDisabled: "The webhook is off. Turn it on first.",
  delivery: "Delivery",
  messageId: "Message ID",
  body: "Body",
  responseHint: "At most its first kilobyte is kept.",
  hiddenBody: "The body holds a link that only its receiver may see.",
  older: "Older",
  /** Why there was no answer: the sender says it in English. */
  problem: (text: string): string => text,
}
