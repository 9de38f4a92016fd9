import type { UrlProblem } from "../../../domain/events/endpoint.ts"
import { count } from "./plurals.ts"

const urlProblems: Readonly<Record<UrlProblem, string>> = {
  protocol: "The URL must begin with https://",
  length: "The URL is too long.",
  password: "Remove the username and password from the URL.",
  privateAddress: "This URL cannot be reached from the internet.",
}

export const webhooks = {
  title: "Webhooks",
  intro:
    "Pazar sends events such as sales, refunds and leaked keys to your server. Each webhook receives the events that you select.",
  introOperator:
    "Pazar sends events of all authors, invitations, failed imports and overdue database syncs to your server.",
  docs: "Events and signature verification",
  none: "No webhooks yet.",
  add: "Add a webhook",
  urlHint: "It must begin with https:// and be reachable from the internet.",
  events: "Events",
  eventsHint: "Leave empty to receive all events, including future ones.",
  allEvents: "All events",
  enabled: "Enabled",
  disabled: "Disabled",
  failing: "Failing",
  pending: "Pending",
  failingSince: (when: string) =>
    `All attempts have failed since ${when}. After five days of failed attempts, the webhook is disabled.`,
  reasons: {
    owner:
      "Disabled manually. Pending messages are sent when you enable it. Events that occur until then are not delivered.",
    gone: "Disabled because the server returned 410 (Gone). Check the URL, then enable the webhook.",
    failing:
      "Disabled because all attempts failed for five days. Fix the server, then enable the webhook: pending messages are sent.",
    full: "Disabled because too many messages were pending (1,000,000, or 100,000 after an hour of failed attempts). Fix the server, then enable the webhook: pending messages fail permanently.",
  },
  attention: (url: string) => `The webhook ${url} was disabled.`,
  see: "Show why",
  urlProblems,
  tooMany: (max: number) =>
    `You have ${count(max, "webhook", "webhooks")}, the maximum. Delete one first.`,
  unknownEvent: "Unknown event. Choose from the list.",
  /** Notices, by the query parameter `done`. */
  done: {
    created:
      "The webhook was created. Configure its secret on your server, then send a test event.",
    changed: "The webhook was updated.",
    rotated: "The secret was rotated. Configure the new one on your server within a day.",
    enabled: "The webhook was enabled.",
    disabled: "The webhook was disabled. Pending messages are kept; new events are not delivered.",
    removed: "The webhook was deleted.",
    tested: "The test event was queued. Reload this page to see the response.",
    redelivered: "The message was queued again, with the same ID.",
  },
  edit: "Edit",
  editTitle: "Edit the webhook",
  secret: "Signing secret",
  secretHint: "Your server verifies the webhook signature with it.",
  reveal: "Reveal",
  revealTitle: "Reveal the secret?",
  revealText: "Revealing the secret requires your password.",
  rotate: "Rotate the secret",
  rotateTitle: "Rotate the secret?",
  rotateText:
    "You get a new secret. Messages are signed with both secrets for a day, or until you rotate again.",
  bothUntil: (when: string) => `Messages are also signed with the previous secret until ${when}.`,
  enable: "Enable",
  disable: "Disable",
  remove: "Delete",
  removeTitle: "Delete the webhook?",
  removeText: (url: string, pending: number) =>
    `Pazar stops sending events to ${url} and deletes its secret and deliveries${pending === 0 ? "" : `, including ${count(pending, "pending message", "pending messages")}`}. You cannot undo this.`,
  test: "Send a test event",
  tooManyTests: (max: number) =>
    `The limit is ${count(max, "test event", "test events")} per minute. Wait a minute, then try again.`,
  deliveries: "Deliveries of the last 30 days, at most 1,000",
  noDeliveries: "No deliveries yet.",
  event: "Event",
  states: { waiting: "Pending", delivered: "Delivered", failed: "Failed" },
  attempts: "Attempts",
  response: "Response",
  noResponse: "No response yet",
  emptyResponse: "The response body is empty.",
  nextAttempt: "Next attempt",
  immediately: "Now",
  lastAttempt: "Last attempt",
  redeliver: "Redeliver",
  isDisabled: "The webhook is disabled. Enable it first.",
  delivery: "Delivery",
  messageId: "Message ID",
  body: "Body",
  responseHint: "Only the first kilobyte is stored.",
  hiddenBody: "The body is hidden: it contains a link for its recipient only.",
  older: "Older",
  /** Translates the error of an attempt that got no response. */
  problem: (text: string): string => text,
}
