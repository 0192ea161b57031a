import type { Requirements } from '../requirement.ts'

const only = { first: '2025-03-26', last: '2025-03-26' } as const

export const batches = {
  'batches: answered together': {
    says: 'Requests that arrive as one array are answered as one array, one answer for each',
    rules: ['L33', '1.1'],
    ...only,
  },
  'batches: notifications are not answered': {
    says: 'An array of nothing but notifications is not answered',
    rules: ['L33', 'P8'],
    ...only,
  },
  'batches: failures': {
    says: 'A request that fails is answered in the array like any other',
    rules: ['L33'],
    ...only,
  },
  'batches: what is no message': {
    says: 'An entry that is no message is answered with -32600, and the others are served all the same',
    rules: ['L33'],
    ...only,
    transports: ['stdio', 'http-session', 'websocket'],
    except: { 'http-session': 'a body is taken or refused as a whole' },
  },
  'batches: empty': {
    says: 'An empty array is refused with -32600',
    rules: ['L33'],
    ...only,
    transports: ['stdio', 'http-session', 'websocket'],
  },
  'batches: too long': {
    says: 'An array of more than a hundred messages is refused with -32600',
    rules: ['L33'],
    ...only,
    transports: ['stdio', 'http-session', 'websocket'],
  },
  'batches: to a client': {
    says: 'A client reads what a server sends as one array',
    rules: ['L33'],
    ...only,
  },
  'batches: not opened by one': {
    says: 'An array before the handshake is refused, so initialize is never in one',
    rules: ['L33'],
    ...only,
  },
  'batches: cancelled requests': {
    says: 'A request that is cancelled is left out of the array of answers',
    rules: ['L33', 'P116'],
    ...only,
  },
  'batches: not yet': {
    says: 'The first revision refuses arrays with -32600',
    rules: ['L39', '1.1'],
    last: '2024-11-05',
  },
  'batches: no more': {
    says: 'Arrays are refused with -32600 since they were removed',
    rules: ['L26', 'P50', '1.1'],
    first: '2025-06-18',
  },
} as const satisfies Requirements
