// biome-ignore-all lint/style/noDefaultExport: this is how a Worker is found
import { check, serve } from './site.ts'

/** Sessions live in an object, because requests to a Worker itself may each find another one. */
export class Site {
  fetch(request: Request): Promise<Response> {
    return serve(request)
  }
}

interface Environment {
  readonly site: { getByName(name: string): { fetch(request: Request): Promise<Response> } }
}

// workerd notices a client that stopped reading only when there is something to read
const unable = ['a client that goes away before the answer cancels its request']

const worker = {
  async fetch(request: Request, { site }: Environment): Promise<Response> {
    const { pathname, port } = new URL(request.url)
    if (pathname === '/check') return Response.json(await check(Number(port), unable))
    return site.getByName('only').fetch(request)
  },
}

export default worker
