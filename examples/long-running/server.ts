// region serve
import { serve } from '@trunkline/mcp'
import { sqliteStores } from '@trunkline/mcp/sqlite'
import { studio } from './film.ts'

const [port = '0', file = 'studio.db', diary = 'diary.txt'] = process.argv.slice(2)
const stores = sqliteStores(file)
const http = await serve(studio(stores, diary), {
  http: Number(port),
  sessions: { store: stores.sessions, events: stores.events },
})
// endregion
console.log(http.url)
