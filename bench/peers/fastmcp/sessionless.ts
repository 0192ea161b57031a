import { serveHttp } from './definition.ts'

await serveHttp({ stateless: true })
