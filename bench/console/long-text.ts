import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { server } from '@trunkline/mcp'
import { toNode } from '@trunkline/mcp/node'
import { openConsole } from '../../packages/console/test/open-page.ts'
import { watchPage } from './page-figures.ts'

/** Cost to the page of a result of five megabytes. */
export interface LongTextFigures {
  readonly busyMs: number
  readonly longestGapMs: number
}

const line = 'a line of a long text, as a log or a file has many of them\n'
const text = line.repeat(Math.ceil((5 * 1024 ** 2) / line.length))

/** Runs a tool that answers with five megabytes of text, until its beginning is on the screen and all of it can be saved. */
export async function longText(): Promise<LongTextFigures> {
  const long = server({ name: 'long', version: '1' }).tool('read', { annotations: { readOnlyHint: true } }, () => text)
  const http = createServer(toNode(long))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  try {
    const settings = { mcpServers: { long: { url } }, policy: { allow: ['long:*'] } }
    await using open = await openConsole({ settings, accepted: ['long'], path: '/tools/long/read' })
    const { page } = open
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    const { gaps, busyMs } = await watchPage(page, async () => {
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('button', { name: 'Download text' }).waitFor()
    })
    return { busyMs, longestGapMs: Math.max(...gaps) }
  } finally {
    http.closeAllConnections()
    http.close()
  }
}
