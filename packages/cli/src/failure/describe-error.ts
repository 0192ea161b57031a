import { AuthoringError } from '@trunkline/authoring/failure'
import type { McpErrorCode } from '@trunkline/mcp/client'
import { McpError, RpcError } from '@trunkline/mcp/client'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { Failure, usageFailure } from './failure.ts'

const { usage, protocolError, unreachable, denied, signInNeeded, timeout, interrupted } = exitCodes

const exits: { readonly [Code in McpErrorCode]: ExitCode } = {
  Busy: unreachable,
  Cancelled: interrupted,
  Closed: unreachable,
  Declined: denied,
  Http: unreachable,
  Input: protocolError,
  InvalidResponse: protocolError,
  Misuse: usage,
  NotSent: unreachable,
  Spawn: unreachable,
  Store: unreachable,
  Timeout: timeout,
  TooLarge: protocolError,
  TooMany: protocolError,
  Unauthorized: signInNeeded,
  Unsupported: protocolError,
}

/** Turns anything thrown into a failure with an exit code; a bug never shows a stack trace. */
export function describeError(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof AuthoringError) return usageFailure(error.message, error.hint)
  if (error instanceof RpcError) {
    const { message, code, data } = error
    return new Failure(`The server answered with an error: ${message}`, {
      code: String(code),
      exit: protocolError,
      data,
    })
  }
  if (error instanceof McpError) {
    const code = error.status === 401 ? 'Unauthorized' : error.code
    const exit = error.status === 403 ? denied : exits[code]
    return new Failure(error.message, { code, exit, hint: hints[code] })
  }
  if (isSystemError(error)) return new Failure(systemMessage(error), { code: error.code ?? 'System', exit: usage })
  const message = error instanceof Error ? error.message : String(error)
  // a message that says what cannot be done, and why, is not a bug
  if (message.startsWith('Cannot ')) return new Failure(message, { code: 'Refused', exit: usage })
  return new Failure(`This is a mistake in trunkline itself: ${message}`, { code: 'Internal', exit: usage })
}

const hints: { readonly [Code in McpErrorCode]?: string } = {
  Timeout: 'Give it more time with --timeout SECONDS, or see what it says with --stderr',
  Unauthorized: 'Sign in by running this in a terminal, or give a token: --header "Authorization: Bearer …"',
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string'
}

function systemMessage({ code, path, syscall, message }: NodeJS.ErrnoException): string {
  const what = path === undefined ? `Cannot ${syscall}` : `Cannot ${syscall} "${path}"`
  if (code === 'ENOENT') return `${what}: there is no such file`
  if (code === 'EACCES' || code === 'EPERM') return `${what}: not allowed`
  if (code === 'ENOSPC' || code === 'EDQUOT') return `${what}: the disk is full; free some space`
  if (code === 'EFBIG') return `${what}: the file may not grow any further`
  if (code === 'EISDIR') return `${what}: it is a folder`
  return `${what}: ${message}`
}
