import type { Requirements } from '../requirement.ts'

export const envelope = {
  '_meta: every request explains itself': {
    says: 'Every request of a client names the version, what the client can be asked, and who it is',
    rules: ['P16', 'P18', '1.1'],
    first: '2026-07-28',
  },
  '_meta: missing version': {
    says: 'A request that names no version is refused with -32602',
    rules: ['P17', 'P16'],
    first: '2026-07-28',
  },
  '_meta: missing capabilities': {
    says: 'A request that does not say what its sender can be asked is refused with -32602',
    rules: ['P17', 'P16'],
    first: '2026-07-28',
  },
  '_meta: malformed': {
    says: 'A request whose capabilities, client info or progress token is malformed is refused with -32602',
    rules: ['P17', 'P185'],
    first: '2026-07-28',
  },
  '_meta: malformed version': {
    says: 'A request whose version is malformed is refused with -32602',
    rules: ['P17', 'P185'],
    first: '2026-07-28',
    except: { http: 'its header cannot say the same, which shows first' },
  },
  '_meta: client info may be missing': {
    says: 'A request that does not say who sends it is served all the same',
    rules: ['P18'],
    first: '2026-07-28',
  },
  '_meta: capabilities of this request': {
    says: 'What one request declares counts for that request alone',
    rules: ['P11', 'P21', 'P22'],
    first: '2026-07-28',
  },
  '_meta: none of it after a handshake': {
    says: 'A client that has shaken hands says nothing of itself in its requests',
    rules: ['1.1', 'P190'],
    last: '2025-11-25',
  },
  '_meta: reaches the handler': {
    says: 'What a caller puts into _meta, trace context included, reaches the handler',
    rules: ['P25', '1.1'],
  },
  '_meta: of a result': {
    says: 'What a handler puts into the _meta of its result reaches the caller',
    rules: ['1.1'],
  },
  '_meta: server info on every result': {
    says: 'Every result says in its _meta who the server is',
    rules: ['P19'],
    first: '2026-07-28',
  },
  '_meta: no server info after a handshake': {
    says: 'No result says again who the server is',
    rules: ['P190'],
    last: '2025-11-25',
  },
  'resultType: complete': {
    says: 'Every result that needs nothing more says that it is complete',
    rules: ['P5', 'P28'],
    first: '2026-07-28',
  },
  'resultType: not after a handshake': {
    says: 'No result has a resultType before there was one',
    rules: ['P190', '3.5'],
    last: '2025-11-25',
  },
  'resultType: absent': {
    says: 'A client takes a result without resultType for complete',
    rules: ['P30'],
    first: '2026-07-28',
  },
  'resultType: unknown': {
    says: 'A client refuses a result of a kind it does not know',
    rules: ['P29'],
    first: '2026-07-28',
  },
  'errors: no code of another revision': {
    says: 'A code that only another revision has is not sent, even when a handler throws it',
    rules: ['P33', 'P31', '1.7'],
  },
  'errors: codes are passed on': {
    says: 'A client passes every code on as it is, whatever range it is in',
    rules: ['P32', 'P34', 'P35'],
  },
} as const satisfies Requirements
