import { openConsole } from '../../packages/console/test/open-page.ts'
import { programEntry } from '../../packages/host/test/run/person.ts'

/** Milliseconds from the death of a server until an open page says so. */
export async function serverDies(): Promise<number> {
  await using open = await openConsole({ settings: { mcpServers: { one: programEntry() } }, accepted: ['one'] })
  const { page, running } = open
  await page.getByText('ready', { exact: true }).first().waitFor()
  const { pid } = running.host.servers.get('one')?.status ?? {}
  if (pid === undefined) throw new Error('The server does not run')
  const told = page.evaluate(whenGone)
  const killedAt = Date.now()
  process.kill(pid, 'SIGKILL')
  return (await told) - killedAt
}

/** Time when the page no longer shows the server as ready. */
async function whenGone(): Promise<number> {
  const isReady = () => [...document.querySelectorAll('main *')].some(({ textContent }) => textContent === 'ready')
  while (isReady()) await new Promise(requestAnimationFrame)
  return Date.now()
}
