import type { HostStatus } from '../../host/queries.ts'
import { Notice } from '../../parts/notice.tsx'
import { Said } from '../../text/said.tsx'

/** Problems of the configuration, with remedies. */
export function ConfigProblems({ status: { problems, waiting } }: { readonly status: HostStatus }) {
  return (
    <>
      {problems.map(({ file, line, key, problem, fix }) => (
        <Notice key={`${file} ${line} ${key}`} tone="bad">
          <code>
            <Said text={`${file}:${line}`} />
          </code>{' '}
          <Said text={`${key} ${problem}`} />. <Said text={fix} />
        </Notice>
      ))}
      {waiting.map(({ file, settings }) => (
        <Notice key={file} tone="warn">
          <code>
            <Said text={file} />
          </code>{' '}
          would permit {settings.length} things. They do nothing until you accept the file:{' '}
          <code>trunkline accept</code>
        </Notice>
      ))}
    </>
  )
}
