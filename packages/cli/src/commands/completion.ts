import { visibleLine } from '@trunkline/host/text'
import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { type Shell, shellScripts } from '../manual/shell-scripts.ts'

/** `trunkline completion`: makes a shell complete commands, options, and what servers offer. */
export const completionCommand = defineCommand({
  name: 'completion',
  group: 'own',
  needs: 'nothing',
  summary: 'Prints the completion script for bash, zsh, fish or PowerShell',
  usage: ['bash|zsh|fish|powershell'],
  details: [
    'Completes commands, options, and the names of configured servers and clients. Skills and their files are completed with a running host. Tools, prompts, resources, arguments and their values are completed for servers at a URL and for those of a running host. No program is started for a server that is not configured.',
  ],
  options: { line: { type: 'string', value: 'LINE', summary: 'Print the completions at the end of this line' } },
  json: '`{ shell, script }`, or with --line `{ candidates: [{ text, about }] }`',
  examples: [
    {
      line: 'source <(trunkline completion bash)',
      shows: 'for bash; put it in ~/.bashrc (zsh: ~/.zshrc, with zsh)',
    },
    { line: 'trunkline completion fish | source', shows: 'for fish' },
    {
      line: 'trunkline completion powershell | Out-String | Invoke-Expression',
      shows: 'for PowerShell; put it in the file that $PROFILE names',
    },
  ],
  async run({ words: [shell], options, output, signal, commands }) {
    if (options.line === undefined) {
      const script =
        shell !== undefined && Object.hasOwn(shellScripts, shell) ? shellScripts[shell as Shell] : undefined
      if (script === undefined) throw usageFailure('Cannot print a completion: name bash, zsh, fish or powershell')
      output.result({ shell, script }, () => script.trimEnd().split('\n'))
      return undefined
    }
    const { candidatesFor } = await import('../manual/candidates.ts')
    const { splitLine } = await import('../command/split-line.ts')
    const { completingHere } = await import('../host/completing.ts')
    const completing = completingHere(commands, signal)
    // a shell shows nothing of an error, and what cannot be asked offers nothing
    const candidates = await candidatesFor(splitLine(options.line), completing).catch(() => [])
    output.result({ candidates }, () => candidates.map(({ text, about }) => `${text}\t${visibleLine(about)}`))
    return undefined
  },
})
