import type { Requirements } from '../requirement.ts'

const requestsOnly = { http: 'nothing but requests is posted' }
const withoutId = 'what HTTP refuses has no id'

/** Transports that carry text, and can be sent something that is no message. */
const textual = ['stdio', 'http', 'http-session', 'http-sse', 'websocket'] as const

export const base = {
  'base: ids of a client': {
    says: 'A client gives every request an id of its own, a string or an integer',
    rules: ['P3', 'P4'],
  },
  'base: ids are repeated': {
    says: 'An answer repeats the id of its request with the same JSON type, 0 and the empty string included',
    rules: ['P3', 'P5'],
  },
  'base: ids of different types': {
    says: 'Two requests whose ids differ in type alone are answered each for itself',
    rules: ['P3', 'P4'],
  },
  'base: id in use': {
    says: 'A second request with the id of one that is not answered yet is refused with -32600',
    rules: ['P4'],
    except: { http: 'every request has a connection of its own' },
  },
  'base: shape of a failure': {
    says: 'A failure has the id of its request, an integer code and a message',
    rules: ['P6', 'P7'],
  },
  'base: unreadable id is null': {
    says: 'A failure whose request had no readable id has the id null, because the schema wants one',
    rules: ['P6', '1.1'],
    last: '2025-06-18',
    transports: textual,
    except: { 'http-session': withoutId, 'http-sse': withoutId },
  },
  'base: unreadable id is left out': {
    says: 'A failure whose request had no readable id has none',
    rules: ['P6', '1.1'],
    first: '2025-11-25',
    transports: textual,
  },
  'base: parse error': {
    says: 'What is not JSON is answered with -32700, and the conversation goes on',
    rules: ['1.7'],
    transports: textual,
  },
  'base: invalid request': {
    says: 'JSON that is no message is answered with -32600, and the conversation goes on',
    rules: ['P3', '1.7'],
    transports: textual,
  },
  'base: only messages on stdout': {
    says: 'Standard output carries messages only, one on each line, whatever a handler prints',
    rules: ['P80', 'P81'],
    transports: ['stdio'],
  },
  'base: end of input': {
    says: 'A server program ends by itself when its input does, after its last answer',
    rules: ['P84'],
    transports: ['stdio'],
  },
  'base: notifications are not answered': {
    says: 'A notification is never answered, not even one that is unknown or malformed',
    rules: ['P8'],
    except: requestsOnly,
  },
  'base: stray notifications': {
    says: 'A client goes on when it is told something it does not know',
    rules: ['P8', 'P117'],
  },
  'base: stray responses to a server': {
    says: 'A server ignores an answer to a question it never asked',
    rules: ['P9'],
    except: requestsOnly,
  },
  'base: stray responses to a client': {
    says: 'A client ignores an answer to nothing, and one whose id has another type than its request',
    rules: ['P117', 'P3'],
  },
  'base: a server asks nothing': {
    says: 'A server makes no requests, whatever its handlers need',
    rules: ['P9', 'P10'],
    first: '2026-07-28',
  },
  'base: a client answers nothing': {
    says: 'A client sends no responses, not even to a server that wrongly asks',
    rules: ['P9', 'P10'],
    first: '2026-07-28',
  },
  'base: unknown method': {
    says: 'A method that no revision has is refused with -32601',
    rules: ['P36', '1.7'],
  },
  'base: methods without a handshake': {
    says: 'The methods of handshakes and sessions are refused with -32601 by a request that explains itself',
    rules: ['P36', '1.3'],
    first: '2026-07-28',
  },
  'base: methods with a handshake': {
    says: 'The methods that came with stateless requests are refused with -32601 after a handshake',
    rules: ['1.3'],
    last: '2025-11-25',
  },
  'base: undeclared feature': {
    says: 'A method of a feature that the server did not declare is refused with -32601',
    rules: ['P36', 'P130'],
  },
  'base: client keeps to what is declared': {
    says: 'A client does not send what the server did not declare, and says that it did not',
    rules: ['L3', 'P130'],
  },
  'base: bad params': {
    says: 'Params that are not what the method takes are refused with -32602',
    rules: ['1.7', 'P39'],
  },
  'base: missing name': {
    says: 'A call that does not name its tool is refused with -32602',
    rules: ['1.7', 'P39'],
    except: { http: 'it has no header either, which shows first' },
  },
  'base: unknown members': {
    says: 'Members that a side does not know are no reason to refuse a message',
    rules: ['P1'],
  },
} as const satisfies Requirements
