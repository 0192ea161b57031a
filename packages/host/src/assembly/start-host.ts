import { Host } from './host.ts'
import type { HostOptions } from './host-options.ts'

/** Starts a host. */
export async function startHost(options: HostOptions): Promise<Host> {
  const host = new Host(options)
  try {
    await host.start()
    return host
  } catch (error) {
    await host.close()
    throw error
  }
}
