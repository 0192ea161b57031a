import type { OptionDescriptions } from './command.ts'

/** What every command takes. */
export const everyCommandOptions = {
  json: { type: 'boolean', summary: 'Print JSON, and errors as one line of JSON on stderr' },
  quiet: { type: 'boolean', short: 'q', summary: 'Print results and errors, nothing else' },
  help: { type: 'boolean', short: 'h', summary: 'Show this help' },
} as const satisfies OptionDescriptions

/** What every command takes that talks to a server. */
export const serverOptions = {
  revision: { type: 'string', value: 'DATE', summary: 'Speak this revision of the protocol and no other' },
  timeout: { type: 'string', value: 'SECONDS', summary: 'Give up after this time, and cancel at the server' },
  header: {
    type: 'string',
    short: 'H',
    value: 'NAME:VALUE',
    multiple: true,
    summary: 'Send this header to a server at a URL',
  },
  env: {
    type: 'string',
    short: 'e',
    value: 'NAME[=VALUE]',
    multiple: true,
    summary: 'Give the program this variable, by default with the value it has here',
  },
  cwd: { type: 'string', value: 'FOLDER', summary: 'Start the program in this folder' },
  stderr: { type: 'boolean', summary: 'Show what the program writes to stderr while it runs' },
  answer: {
    type: 'string',
    value: 'NAME=VALUE',
    multiple: true,
    summary: 'Fill in this field of a form that the server asks for',
  },
  log: {
    type: 'string',
    value: 'LEVEL',
    choices: ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'],
    summary: 'Show log messages of the server, this severe and more',
  },
  trust: {
    type: 'string',
    value: 'ORIGIN',
    multiple: true,
    summary: 'Sign in there although it is private or not encrypted',
  },
  'no-input': { type: 'boolean', summary: 'Never ask anything, even in a terminal' },
} as const satisfies OptionDescriptions
