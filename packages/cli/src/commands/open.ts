import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import { runningOrStarted } from '../host/start-detached.ts'
import { styled } from '../output/span.ts'

/** `trunkline open`: the console in a browser. */
export const openCommand = defineCommand({
  name: 'open',
  group: 'host',
  needs: 'person',
  summary: 'Opens the console in your browser, with a one-time code',
  usage: [''],
  details: [
    'Starts the host in the background if none is running. The host opens the browser that its own environment names, with a code that works once and for one minute; the page exchanges it for a secret of its own. Where no browser can be opened, for example over SSH, the address with the code is printed, but only in a terminal: what runs this command without one is told no code.',
  ],
  options: { print: { type: 'boolean', summary: 'Print the address instead of opening a browser' } },
  json: '`{ isOpen }`; a code is never part of it',
  examples: [
    { line: 'trunkline open', shows: 'the console' },
    { line: 'trunkline open --json', shows: 'whether the host could open a browser' },
  ],
  async run({ options, output, terminal }) {
    await runningOrStarted()
    const { call } = await openHost()
    const { isOpen } = options.print ? { isOpen: false } : await call('openConsole')
    if (isOpen || output.json) {
      output.result({ isOpen }, () => ['The console is open in your browser'])
      return undefined
    }
    if (!terminal.isInteractive) {
      throw new Failure('Cannot open a browser, and a code is shown in a terminal only', {
        code: 'NotInteractive',
        exit: exitCodes.denied,
        hint: 'Run trunkline open in a terminal',
      })
    }
    const { code, page } = await call('code')
    const url = new URL(`/#code=${code}`, page).href
    output.result({ isOpen }, () => [options.print ? url : ['Open this within a minute: ', styled('name', url)]])
    return undefined
  },
})
