import type { Requirements } from '../requirement.ts'

export const input = {
  'input: undeclared, newly': {
    says: 'A request that needs something its client did not declare is refused with -32021 and what is needed',
    rules: ['P21', 'P104', 'P148', '1.7'],
    first: '2026-07-28',
  },
  'input: undeclared': {
    says: 'A tool that needs something its client did not declare fails and says what, and nothing is asked',
    rules: ['L3', '1.5', '1.7'],
    last: '2025-11-25',
  },
  'input: undeclared outside of tools': {
    says: 'A prompt or a resource that needs something its client did not declare is refused with -32600',
    rules: ['L3', '1.7'],
    last: '2025-11-25',
  },
  'input: unasked for': {
    says: 'A client refuses a question of a kind that it did not declare with -32601',
    rules: ['L3', '1.7'],
    last: '2025-11-25',
  },
  'input: malformed answer': {
    says: 'An answer of the client that is malformed does not reach the handler',
    rules: ['P110', 'P155'],
  },
  'sampling: reaches the model': {
    says: 'A handler gets what the model of the client says, and the client all that the handler wants to be considered',
    rules: ['P158', '1.3', '3.5'],
  },
  'sampling: refusal': {
    says: 'A refusal by the client fails the tool with -1 as its cause, and does not become an error of the request',
    rules: ['L20', '1.7'],
    last: '2025-11-25',
  },
  'sampling: refusal ends the call': {
    says: 'A client that will not sample does not send the call again',
    rules: ['P113', '1.7'],
    first: '2026-07-28',
  },
  'sampling: one piece of content': {
    says: 'Several texts travel as one where a message has one piece of content',
    rules: ['1.3', 'L20'],
    last: '2025-06-18',
  },
  'sampling: several pieces of content': {
    says: 'A message may have several pieces of content, both ways',
    rules: ['L20', '1.3'],
    first: '2025-11-25',
  },
  'sampling: tools': {
    says: 'A client that declares it may be given tools to sample with, and answer that one is to be used',
    rules: ['L20', 'P157'],
    first: '2025-11-25',
  },
  'sampling: tools undeclared': {
    says: 'A client that did not declare it refuses to sample with tools with -32602',
    rules: ['L20', 'P157'],
    first: '2025-11-25',
  },
  'sampling: tool results are balanced': {
    says: 'A client refuses messages in which the use of a tool is not followed by its result with -32602',
    rules: ['P157', 'L20'],
    first: '2025-11-25',
  },
  'sampling: context': {
    says: 'Context of servers is asked for only of clients that declare it',
    rules: ['1.6', 'P158'],
    first: '2025-11-25',
  },
  'roots: reach the handler': {
    says: 'A handler gets the roots of the client, as they are at the moment',
    rules: ['P160', '1.3'],
  },
  'roots: change is told': {
    says: 'A client tells that its roots have changed',
    rules: ['1.4'],
    last: '2025-11-25',
  },
  'roots: change is not told': {
    says: 'A client does not tell that its roots have changed where there is no word for it',
    rules: ['1.4'],
    first: '2026-07-28',
  },
} as const satisfies Requirements
