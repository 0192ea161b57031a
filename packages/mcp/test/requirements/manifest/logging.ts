import type { Requirements } from '../requirement.ts'

export const logging = {
  'logging: by level': {
    says: 'A client hears the log messages that are as severe as it asked for, and no others',
    rules: ['P145', '1.3'],
  },
  'logging: shape': {
    says: 'A log message has a level, data of any kind, and the name of a logger if there is one',
    rules: ['1.4', 'P145'],
  },
  'logging: level can change': {
    says: 'A client can ask for another level at any time',
    rules: ['1.3', 'P145'],
  },
  'logging: setLevel': {
    says: 'The level is set once for the conversation, and answered with an empty result',
    rules: ['1.3', '3.5'],
    last: '2025-11-25',
  },
  'logging: logLevel': {
    says: 'The level travels with every request',
    rules: ['P26', 'P145', '3.5'],
    first: '2026-07-28',
  },
  'logging: unasked': {
    says: 'A request that names no level hears no log messages, whatever other requests ask for',
    rules: ['P145', 'P11'],
    first: '2026-07-28',
  },
  'logging: never while listening': {
    says: 'Log messages and progress belong to the request that they are about, never to one that listens for changes',
    rules: ['P53', 'P145'],
    first: '2026-07-28',
  },
  'logging: unknown level': {
    says: 'A level that does not exist is refused with -32602',
    rules: ['P39', 'P146', '1.7'],
  },
  'logging: not offered': {
    says: 'A server that does not declare logging refuses to set its level with -32601',
    rules: ['P130', '1.5'],
    last: '2025-11-25',
  },
} as const satisfies Requirements
