import type { Registry } from './command/command.ts'

/** Where each command is; one is loaded when it is used, in the order in which help lists them. */
export const registry: Registry = {
  tools: async () => (await import('./commands/tools.ts')).toolsCommand,
  call: async () => (await import('./commands/call.ts')).callCommand,
  version: async () => (await import('./commands/version.ts')).versionCommand,
  help: async () => (await import('./commands/help.ts')).helpCommand,
}
