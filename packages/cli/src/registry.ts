import type { Registry } from './command/command.ts'

/** Where each command is; one is loaded when it is used, in the order in which help lists them. */
export const registry: Registry = {
  tools: async () => (await import('./commands/tools.ts')).toolsCommand,
  call: async () => (await import('./commands/call.ts')).callCommand,
  resources: async () => (await import('./commands/resources.ts')).resourcesCommand,
  read: async () => (await import('./commands/read.ts')).readCommand,
  prompts: async () => (await import('./commands/prompts.ts')).promptsCommand,
  prompt: async () => (await import('./commands/prompt.ts')).promptCommand,
  complete: async () => (await import('./commands/complete.ts')).completeCommand,
  watch: async () => (await import('./commands/watch.ts')).watchCommand,
  tasks: async () => (await import('./commands/tasks.ts')).tasksCommand,
  ping: async () => (await import('./commands/ping.ts')).pingCommand,
  discover: async () => (await import('./commands/discover.ts')).discoverCommand,
  raw: async () => (await import('./commands/raw.ts')).rawCommand,
  trace: async () => (await import('./commands/trace.ts')).traceCommand,
  version: async () => (await import('./commands/version.ts')).versionCommand,
  help: async () => (await import('./commands/help.ts')).helpCommand,
}
