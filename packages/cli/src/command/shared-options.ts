import type { OptionDescriptions } from './command.ts'

/** Options of every command. */
export const everyCommandOptions = {
  json: { type: 'boolean', summary: 'Print JSON, and errors as one line of JSON on stderr' },
  quiet: { type: 'boolean', short: 'q', summary: 'Print only results and errors' },
  help: { type: 'boolean', short: 'h', summary: 'Show this help' },
} as const satisfies OptionDescriptions

/** Options of every command that connects to a server. */
export const serverOptions = {
  revision: { type: 'string', value: 'DATE', summary: 'Use this revision of the protocol and no other' },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    summary: 'Give up after this time and cancel the request at the server',
  },
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
    summary: 'Set this variable for the program; without a value, pass on the current one',
  },
  cwd: { type: 'string', value: 'FOLDER', summary: 'Start the program in this folder' },
  stderr: { type: 'boolean', summary: 'Show what the program writes to stderr' },
  answer: {
    type: 'string',
    value: 'NAME=VALUE',
    multiple: true,
    summary: 'Fill in this field when the server asks for a form',
  },
  log: {
    type: 'string',
    value: 'LEVEL',
    choices: ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'],
    summary: 'Show log messages of the server from this level on',
  },
  trust: {
    type: 'string',
    value: 'ORIGIN',
    multiple: true,
    summary: 'Allow signing in at this origin although it is private or not encrypted',
  },
  'no-input': { type: 'boolean', summary: 'Never ask for input, even in a terminal' },
} as const satisfies OptionDescriptions
