/** Takes the picture of the README: a real host, a real call that waits, and a person who answers it in a terminal. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { acceptServer, apiOf, clientOf } from '../packages/cli/test/host/host-api.ts'
import { hostHome } from '../packages/cli/test/host/host-home.ts'
import { inTerminal } from '../packages/cli/test/tmux.ts'
import { root } from './lib/files.ts'
import { fail } from './lib/problem.ts'
import { terminalSvg } from './lib/terminal-svg.ts'

async function takePicture(): Promise<string> {
  await using at = hostHome()
  const program = join(root, 'packages/servers/files/src/main.ts')
  at.configure({ mcpServers: { files: { command: process.execPath, args: [program, at.project] } } })
  await at.up()
  const api = apiOf(at)
  await acceptServer(api, 'files')
  await using client = await clientOf(api, 'claude-code')
  const note = { path: join(at.project, 'notes.md'), content: 'Ship it on Monday.\n' }
  const calling = client.tools.call('files__write_file', note)
  await using terminal = await inTerminal(['inbox'], { HOME: at.home, TERM: 'xterm-256color' })
  await terminal.until(/Tab later: $/m)
  // keys that come before the question can have been read are ignored
  await new Promise((resolve) => setTimeout(resolve, 500))
  await terminal.type('y')
  await Promise.all([calling, terminal.until(/Allowed, this once[\s\S]*exit:0/)])
  const screen = (await terminal.colours()).split('exit:0')[0] ?? ''
  const shown = `$ trunkline inbox\n${screen.replaceAll(at.project, '~/shop').trimEnd()}\n`
  const file = join(root, 'docs/question.svg')
  writeFileSync(file, terminalSvg(shown, 'A call waits; its arguments are shown, and y lets it run once'))
  return file
}

if (import.meta.main) await takePicture().then((file) => console.log(`taken: ${file}`), fail)
