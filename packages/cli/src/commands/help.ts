import { defineCommand } from '../command/command.ts'
import { commandHelp, overview } from '../command/help.ts'
import { findCommand } from '../command/run-command.ts'

/** `trunkline help`: what there is, and how it is used. */
export const helpCommand = defineCommand({
  name: 'help',
  group: 'own',
  needs: 'nothing',
  summary: 'Lists the commands, or shows how to use one',
  usage: ['[COMMAND]'],
  options: {},
  json: 'the description of a command, or `{ commands: [{ name, summary }] }`',
  examples: [
    { line: 'trunkline help', shows: 'every command' },
    { line: 'trunkline help call', shows: 'the options of one, with examples' },
  ],
  async run({ words: [name], commands, output }) {
    if (name !== undefined) {
      const command = await findCommand(name, commands)
      output.result(command, () => commandHelp(command))
      return undefined
    }
    const all = await Promise.all(Object.values(commands).map((load) => load()))
    output.result({ commands: all.map(({ name, summary }) => ({ name, summary })) }, () => overview(all))
    return undefined
  },
})
