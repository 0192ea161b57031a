import type { Requirements } from '../requirement.ts'

export const rounds = {
  'rounds: linear handlers': {
    says: 'A handler that asks one thing after another works in every revision as it is written',
    rules: ['P109', 'P111', '3.5'],
  },
  'rounds: asked by a result': {
    says: 'A call that needs input ends with input_required, the questions by key, and a state to bring back',
    rules: ['P28', 'P101', 'P102', 'P103', '3.5'],
    first: '2026-07-28',
  },
  'rounds: bare questions': {
    says: 'A question is a method and its params, without id, version or envelope',
    rules: ['P27', 'P103'],
    first: '2026-07-28',
  },
  'rounds: together': {
    says: 'Questions that a handler asks at the same time travel together, each under a key of its own',
    rules: ['P103', 'P105'],
    first: '2026-07-28',
  },
  'rounds: prompts and resources': {
    says: 'Prompts and resources may need input as well, in every revision that can ask the user',
    rules: ['P101', '1.3'],
    first: '2025-06-18',
  },
  'rounds: how a client comes back': {
    says: 'A client repeats its call with the same params, all answers by key, the state as it was, and a new id',
    rules: ['P105', 'P106'],
    first: '2026-07-28',
  },
  'rounds: only a state': {
    says: 'A client that is asked nothing but given a state calls again at once, with the state',
    rules: ['P105', 'P106'],
    first: '2026-07-28',
  },
  'rounds: no state': {
    says: 'A client that is given no state brings none back',
    rules: ['P106', 'P102'],
    first: '2026-07-28',
  },
  'rounds: state of one call': {
    says: 'A state is used for no other call that is made meanwhile',
    rules: ['P106'],
    first: '2026-07-28',
  },
  'rounds: nothing asked': {
    says: 'A client refuses a result that asks for input without saying which',
    rules: ['P102'],
    first: '2026-07-28',
  },
  'rounds: unknown question': {
    says: 'A client refuses a question that is malformed or of a kind that there is not',
    rules: ['P103', 'P29'],
    first: '2026-07-28',
  },
  'rounds: missing answer': {
    says: 'A question that was not answered is asked again',
    rules: ['P110', 'P109'],
    first: '2026-07-28',
  },
  'rounds: answers to nothing': {
    says: 'Answers to questions that were not asked are ignored',
    rules: ['P110'],
    first: '2026-07-28',
  },
  'rounds: earlier answers': {
    says: 'A client brings back the answers of the last round alone; the earlier ones are in the state',
    rules: ['P111'],
    first: '2026-07-28',
  },
  'rounds: on any server': {
    says: 'A call may come back to another process that has the same keys',
    rules: ['P11', 'P12', 'P109'],
    first: '2026-07-28',
  },
  'rounds: nothing is kept': {
    says: 'A server keeps nothing of a call that waits for input, and lets its handler go',
    rules: ['P109', 'P11'],
    first: '2026-07-28',
  },
  'rounds: server has enough': {
    says: 'A call that never stops asking is refused after ten rounds',
    rules: ['P159', 'P109'],
    first: '2026-07-28',
  },
  'rounds: client has enough': {
    says: 'A client gives up a call that never stops asking',
    rules: ['P159'],
    first: '2026-07-28',
  },
  'rounds: too many questions': {
    says: 'One call may ask a hundred questions and no more',
    rules: ['P159'],
  },
  'rounds: a handler that strays': {
    says: 'A handler that asks something else when it is run again fails, and says why',
    rules: ['P109'],
    first: '2026-07-28',
  },
  'rounds: progress': {
    says: 'A caller hears of each step once, even when a call that comes back takes it again',
    rules: ['P119', 'P109'],
  },
  'rounds: same question twice': {
    says: 'A handler that asks the same twice gets two answers',
    rules: ['P103', 'P111'],
  },
  'once: runs once': {
    says: 'A side effect that a handler marks as such happens once per call, however often the call comes back',
    rules: ['P109', 'P111'],
  },
  'state: is sealed': {
    says: 'Nothing of what was asked and answered can be read in the state',
    rules: ['P107'],
    first: '2026-07-28',
  },
  'state: tampered with': {
    says: 'A state that was changed in any way is refused with -32602',
    rules: ['P107'],
    first: '2026-07-28',
  },
  'state: other arguments': {
    says: 'A state is refused with -32602 when it comes with other arguments',
    rules: ['P108'],
    first: '2026-07-28',
  },
  'state: other tool': {
    says: 'A state is refused with -32602 when it comes with a call of another tool',
    rules: ['P108'],
    first: '2026-07-28',
  },
  'state: other method': {
    says: 'A state is refused with -32602 when it comes with another method',
    rules: ['P108'],
    first: '2026-07-28',
  },
  'state: other server': {
    says: 'A state is refused with -32602 by another server, even one with the same keys',
    rules: ['P107', 'P108'],
    first: '2026-07-28',
  },
  'state: expired': {
    says: 'A state that is too old is refused with -32602',
    rules: ['P108'],
    first: '2026-07-28',
  },
  'state: foreign caller': {
    says: 'A state that was given to another caller is refused with -32602',
    rules: ['P108', 'P155'],
    first: '2026-07-28',
    // pipes do not know who writes into them, nor do sockets without authorization
    transports: ['memory', 'http'],
  },
  'state: made up': {
    says: 'A state that is no state is refused with -32602',
    rules: ['P107', 'P110'],
    first: '2026-07-28',
  },
} as const satisfies Requirements
