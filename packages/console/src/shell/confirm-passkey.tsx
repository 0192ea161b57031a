import { Dialog } from '@base-ui/react/dialog'
import { useMutation } from '@tanstack/react-query'
import { type PasskeyRequest, sign } from '../host/passkey.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { Said } from '../text/said.tsx'
import styles from './confirm-passkey.module.css'

/** Asks the person to confirm a decision with a passkey; it signs what stands here and nothing else. */
export function ConfirmPasskey({ request }: { readonly request: PasskeyRequest }) {
  const signing = useMutation({ mutationFn: () => sign(request), onSuccess: (header) => request.confirm(header) })
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && request.cancel()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title className={styles.title}>Confirm with your passkey</Dialog.Title>
          <Dialog.Description className={styles.decision}>
            <Said text={request.decision} />
          </Dialog.Description>
          <p className={styles.note}>Your passkey signs this decision and no other, once.</p>
          <Failure error={signing.error} />
          <div className="buttons">
            <Button tone="primary" disabled={signing.isPending} onClick={() => signing.mutate()}>
              Use the passkey
            </Button>
            <Button onClick={() => request.cancel()}>Do not decide</Button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
