import { gate } from '../../../gate.ts'
import type { Driver } from '../../driver.ts'
import { trunkline } from '../../drivers/trunkline.ts'
import { stateless } from '../../revisions.ts'

/** The client of this library, in one revision, as soon as the server can reach it. */
export async function ourClient(url: URL, revision: string): Promise<Driver> {
  const streaming = gate()
  const driver = await trunkline(url, revision, {
    async fetch(address, init) {
      const response = await fetch(address, init)
      if (init.method === 'GET') streaming.open()
      return response
    },
  })
  if (revision !== stateless) await streaming.promise
  return driver
}
