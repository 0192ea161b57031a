import type { Driver } from '../../driver.ts'
import type { Hosted } from './listen.ts'

/** A client of a server that was started for it alone, and ends with it. */
export async function hosted(start: () => Promise<Hosted>, drive: (url: URL) => Promise<Driver>): Promise<Driver> {
  const host = await start()
  const driver = await drive(new URL(host.url)).catch(async (error) => {
    await host[Symbol.asyncDispose]()
    throw error
  })
  return {
    ...driver,
    async [Symbol.asyncDispose]() {
      await driver[Symbol.asyncDispose]()
      await host[Symbol.asyncDispose]()
    },
  }
}
