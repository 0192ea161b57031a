import { defineCommand } from '../command/command.ts'
import { refuseCallers } from '../host/decided-here.ts'
import { openHost } from '../host/host-link.ts'
import { hasScreen, openPage } from '../host/open-page.ts'
import { runningOrStarted } from '../host/start-detached.ts'
import { styled } from '../output/span.ts'

/** `trunkline open`: the console in a browser. */
export const openCommand = defineCommand({
  name: 'open',
  group: 'host',
  summary: 'Opens the console in your browser, with a one-time code',
  usage: [''],
  details: [
    'Starts the host in the background if none is running. The address holds a code that works once and for one minute; the page exchanges it for a secret of its own. Where no browser can be opened, for example over SSH, the address is printed.',
  ],
  options: { print: { type: 'boolean', summary: 'Print the address instead of opening a browser' } },
  json: '`{ url, expiresAt }`',
  examples: [
    { line: 'trunkline open', shows: 'the console' },
    { line: 'trunkline open --json', shows: 'the address and when its code expires; nothing is opened' },
  ],
  async run({ options, output }) {
    await runningOrStarted()
    // whoever opens the console can decide there
    await refuseCallers()
    const { call } = await openHost()
    const { code, expiresAt, page } = await call('code')
    const url = new URL(`/#code=${code}`, page).href
    const mayOpen = !options.print && !output.json && hasScreen()
    const isOpen = mayOpen && (await openPage(url))
    output.result({ url, expiresAt }, () => {
      if (isOpen) return ['The console is open in your browser']
      return [options.print ? url : ['Open this within a minute: ', styled('name', url)]]
    })
    return undefined
  },
})
