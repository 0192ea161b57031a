export * from './client.ts'
export { type ConnectOptions, connect, type Target, type TypesOf } from './connect.ts'
export { serve } from './serve.ts'
export * from './server.ts'
