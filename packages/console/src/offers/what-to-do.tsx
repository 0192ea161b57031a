import { Link } from '@tanstack/react-router'
import styles from './offers.module.css'

/** Advice for a person, by the error code of JSON-RPC and the protocol. */
const advice: ReadonlyMap<number, string> = new Map([
  [-32700, 'The server could not read the request. This is a fault of the server or of what is between.'],
  [-32601, 'The server does not know this method. It may have changed: restart it and look at what it offers now.'],
  [-32602, 'The server does not take these arguments. Compare them with what the form says of each field.'],
  [-32603, 'Something failed in the server. Its log may say what.'],
  [-32002, 'There is nothing at this address any more. Look at the list again.'],
])

const usual = 'Read what it says above; the log of the server may say more.'

/** Next steps after a run that failed. */
export function WhatToDo({
  server,
  name,
  code,
  trace,
}: {
  readonly server: string
  readonly name: string
  readonly code?: number | undefined
  readonly trace?: string
}) {
  return (
    <div className={styles.todo}>
      <p>{(code !== undefined && advice.get(code)) || usual}</p>
      <p className="buttons">
        <Link to="/servers/$name" params={{ name: server }}>
          What {server} wrote
        </Link>
        <Link to="/policy" search={{ server, tool: name, client: 'console' }}>
          What the policy says of it
        </Link>
        {trace !== undefined && trace !== '' && (
          <Link to="/activity" search={{ find: trace }}>
            Both hops of this call
          </Link>
        )}
      </p>
    </div>
  )
}
