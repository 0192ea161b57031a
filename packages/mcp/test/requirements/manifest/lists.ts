import type { Requirements } from '../requirement.ts'

export const lists = {
  'pages: walked to the end': {
    says: 'A client gets the whole of every list, page by page, until a page has no cursor',
    rules: ['P147', '1.6'],
  },
  'pages: cut by the server': {
    says: 'A list longer than a page comes with a cursor, and the next page goes on where the last one ended',
    rules: ['P147'],
  },
  'pages: unknown cursor': {
    says: 'A cursor that the server did not give out is refused with -32602',
    rules: ['P39', '1.7'],
  },
  'pages: cursor of another list': {
    says: 'A cursor of one list is refused with -32602 by another',
    rules: ['P39', 'P147'],
  },
  'pages: any text is a cursor': {
    says: 'A client sends back whatever text it got as a cursor, the empty one included',
    rules: ['P147', '1.6'],
  },
  'pages: endless list': {
    says: 'A client gives up on a list whose cursor comes back again, and on one with too many pages',
    rules: ['P147'],
  },
  'caching: hints': {
    says: 'Every list, every read and the discovery say how long they may be reused and by whom',
    rules: ['P121', '1.6'],
    first: '2026-07-28',
  },
  'caching: only where it is defined': {
    says: 'No other result says how long it may be reused',
    rules: ['P121', 'P114'],
    first: '2026-07-28',
  },
  'caching: not after a handshake': {
    says: 'No result says how long it may be reused before there was such a thing',
    rules: ['P190', '3.5'],
    last: '2025-11-25',
  },
  'caching: by resource': {
    says: 'A resource says for itself how long it may be reused',
    rules: ['P121'],
    first: '2026-07-28',
  },
  'caching: same for all pages': {
    says: 'All pages of a list may be reused by the same callers',
    rules: ['P128'],
    first: '2026-07-28',
  },
  'caching: private by caller': {
    says: 'A list that is not the same for every caller is private',
    rules: ['P124', 'P129'],
    first: '2026-07-28',
  },
  'caching: reused while fresh': {
    says: 'A client does not ask again for what it may still reuse',
    rules: ['P122'],
    first: '2026-07-28',
  },
  'caching: by params': {
    says: 'A client reuses a result for the same params only',
    rules: ['P123'],
    first: '2026-07-28',
  },
  'caching: stale at once': {
    says: 'A client asks again when the time to reuse is zero, negative or not given',
    rules: ['P122'],
    first: '2026-07-28',
  },
  'caching: never without hints': {
    says: 'A client asks again every time where nothing says that it need not',
    rules: ['3.5'],
    last: '2025-11-25',
  },
  'caching: calls are never reused': {
    says: 'A client calls a tool every time it is told to',
    rules: ['P121', 'P123'],
  },
  'caching: dropped on change': {
    says: 'A client asks again for what the server says has changed, however fresh it is',
    rules: ['P126'],
    first: '2026-07-28',
  },
  'caching: not after input': {
    says: 'What was answered after asking for input is not reused, and the question says nothing of reusing',
    rules: ['P114'],
    first: '2026-07-28',
  },
} as const satisfies Requirements
