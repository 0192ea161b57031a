import type { Requirements } from '../requirement.ts'

export const changes = {
  'changes: reach watchers': {
    says: 'A client hears when the tools, the prompts or the resources change, if it wants to',
    rules: ['P139', '1.4'],
  },
  'changes: only what is wanted': {
    says: 'A client does not hear of changes that it did not ask about',
    rules: ['P91', '1.4'],
  },
  'changes: end with the watch': {
    says: 'A client that stops watching hears of no more changes, and the server keeps nothing of the watch',
    rules: ['P96', 'P116'],
  },
  'changes: watches are independent': {
    says: 'When two watch the same and one of them stops, the other still hears of changes',
    rules: ['P94', '1.3'],
  },
  'changes: told unasked': {
    says: 'After the handshake a server tells of changed lists without being asked',
    rules: ['1.4', 'P190'],
    last: '2025-11-25',
  },
  'changes: not told unasked': {
    says: 'A server tells of no change without a listener for it',
    rules: ['P91', '1.4'],
    first: '2026-07-28',
  },
  'changes: client checks the notice': {
    says: 'A client makes nothing of a notice whose params are malformed',
    rules: ['P8'],
  },
  'subscribe: updates': {
    says: 'A client that subscribed to a resource hears when its contents change, and of no other resource',
    rules: ['1.3', '1.4'],
    last: '2025-11-25',
  },
  'subscribe: twice is once': {
    says: 'Subscribing twice to the same resource gives one notice for each change',
    rules: ['1.3'],
    last: '2025-11-25',
  },
  'subscribe: unsubscribe': {
    says: 'A client that unsubscribed hears no more of the resource',
    rules: ['1.3'],
    last: '2025-11-25',
  },
  'subscribe: not offered': {
    says: 'A server without resources refuses to be subscribed to with -32601',
    rules: ['1.5', 'P130'],
    last: '2025-11-25',
  },
  'listen: acknowledged first': {
    says: 'The first message about a subscription acknowledges it, with the part of the filter that is honoured',
    rules: ['P89', 'P90', 'P95'],
    first: '2026-07-28',
  },
  'listen: unsupported kinds are left out': {
    says: 'What a server cannot tell of is left out of the acknowledgement, even when that is everything',
    rules: ['P90', '2.20'],
    first: '2026-07-28',
  },
  'listen: labelled': {
    says: 'Every message about a subscription carries the id of its request, with its JSON type',
    rules: ['P92', 'P83'],
    first: '2026-07-28',
  },
  'listen: several at once': {
    says: 'A client may listen several times at once, and each subscription hears what it asked for',
    rules: ['P94', 'P83', 'P93'],
    first: '2026-07-28',
  },
  'listen: bad filter': {
    says: 'A listen request without a filter, or with a malformed one, is refused with -32602',
    rules: ['P89'],
    first: '2026-07-28',
  },
  'listen: cancelled by the client': {
    says: 'A cancelled subscription is over: it is neither answered nor told of anything',
    rules: ['P96', 'P82'],
    first: '2026-07-28',
  },
  'listen: ended by the server': {
    says: 'A server that ends a subscription answers the request',
    rules: ['P97', '2.20'],
    first: '2026-07-28',
  },
  'listen: cancelled by the server': {
    says: 'A server that ends a subscription also cancels it, for clients that wait for that',
    rules: ['P98', '2.20'],
    first: '2026-07-28',
    except: { http: 'the end of its stream says so' },
  },
  'listen: client sees the end': {
    says: 'A client takes an answer, a cancellation or both for the end of a subscription',
    rules: ['P97', 'P98', '2.20'],
    first: '2026-07-28',
  },
  'listen: parts of a resource': {
    says: 'A client that listens for a resource also hears of a part of it',
    rules: ['P100'],
    first: '2026-07-28',
  },
  'listen: server cancels nothing else': {
    says: 'A server sends no cancellation but for a subscription',
    rules: ['P98', '1.1'],
    first: '2026-07-28',
  },
} as const satisfies Requirements
