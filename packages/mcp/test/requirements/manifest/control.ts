import type { Requirements } from '../requirement.ts'

const noNotice = { http: 'the end of a connection cancels' }

export const control = {
  'ping: a server answers': {
    says: 'A server answers ping with an empty result',
    rules: ['L4', '1.1'],
    last: '2025-11-25',
  },
  'ping: before the handshake': {
    says: 'A server answers ping before initialize',
    rules: ['L2', 'L4'],
    last: '2025-11-25',
    except: { 'http-session': 'without a session HTTP itself refuses' },
  },
  'ping: a client answers': {
    says: 'A client answers ping with an empty result',
    rules: ['L4'],
    last: '2025-11-25',
  },
  'ping: by a client': {
    says: 'A client can find out whether the server still answers, whether there is a ping or not',
    rules: ['L4', '1.1'],
  },
  'cancel: reaches the handler': {
    says: 'A call that its caller aborts is cancelled, and the handler learns of it',
    rules: ['P82', 'P115', 'P116'],
  },
  'cancel: tells the reason': {
    says: 'The handler of a cancelled call learns why it was cancelled',
    rules: ['P82', 'P115'],
    except: noNotice,
  },
  'cancel: rejects with the reason': {
    says: 'A call that its caller aborts rejects with the reason of the abort',
    rules: ['P115'],
  },
  'cancel: names the request': {
    says: 'A cancellation names the id of the request with its type, and the reason',
    rules: ['P82', 'P115'],
    except: { ...noNotice, 'http-session': 'the channel says it by itself, and has a test of its own' },
  },
  'cancel: no answer': {
    says: 'A cancelled request is not answered, and nothing more is told about it',
    rules: ['P82', 'P116'],
  },
  'cancel: nothing to cancel': {
    says: 'A server ignores the cancellation of a request that it does not know or has answered',
    rules: ['P116', 'P117'],
    except: noNotice,
  },
  'cancel: late answer': {
    says: 'A client ignores an answer that comes after it has cancelled',
    rules: ['P117'],
    except: noNotice,
  },
  'cancel: not yet sent': {
    says: 'A call whose signal is aborted already is not sent at all',
    rules: ['P115'],
  },
  'cancel: already answered': {
    says: 'A client that aborts a call after its answer cancels nothing',
    rules: ['P115', 'P117'],
  },
  'cancel: takes the question along': {
    says: 'A server that waits for an answer of the client cancels its question when the call is cancelled',
    rules: ['1.1', 'P116'],
    last: '2025-11-25',
  },
  'cancel: while the user is asked': {
    says: 'A call that is aborted while the user is asked rejects at once',
    rules: ['P115', 'P113'],
    first: '2025-06-18',
  },
  'cancel: without an id': {
    says: 'A cancellation without an id is ignored',
    rules: ['1.1', 'P116'],
    except: noNotice,
  },
  'progress: reaches the caller': {
    says: 'A caller hears how far a call has come, in order and before its answer',
    rules: ['P26', 'P119'],
  },
  'progress: messages': {
    says: 'Progress comes with a message from the revision on that has it',
    rules: ['L36', '1.1'],
    first: '2025-03-26',
  },
  'progress: no messages': {
    says: 'The first revision reports progress without messages',
    rules: ['L39', '1.1'],
    last: '2024-11-05',
  },
  'progress: token': {
    says: 'Progress repeats the token of the request with its type',
    rules: ['P26', 'P119'],
  },
  'progress: unasked': {
    says: 'Without a token no progress is reported',
    rules: ['P26', 'P119'],
  },
  'progress: only forward': {
    says: 'Progress strictly increases: a report that does not is not sent, and one that was is not passed on',
    rules: ['P119'],
  },
  'progress: tokens of a client': {
    says: 'A client gives every call that is under way a token of its own, a string or an integer',
    rules: ['P26', 'P119'],
  },
  'progress: unknown token': {
    says: 'A client ignores progress of no call, and progress after the answer',
    rules: ['P119', 'P117'],
  },
  'timeouts: silence': {
    says: 'A call without an answer in time rejects with an error that is no error of the server, and is cancelled',
    rules: ['P118', 'P35'],
  },
  'timeouts: total': {
    says: 'A call is given up after its total time, however much progress it reports',
    rules: ['P118'],
  },
  'timeouts: progress prolongs': {
    says: 'Progress is a sign of life that lets the time for an answer start anew',
    rules: ['P118'],
    // whether time starts anew shows only on a clock of the test's own
    transports: ['memory'],
  },
  'timeouts: the user takes time': {
    says: 'While a server waits for the answer of our user, the call it serves does not time out',
    rules: ['P118'],
    last: '2025-11-25',
    transports: ['memory'],
  },
  'timeouts: users are waited for no longer': {
    says: 'The total time of a call covers all that its user is asked during it, even a user who never answers',
    rules: ['P118'],
    first: '2025-06-18',
  },
} as const satisfies Requirements
