/** States of a delivery. Only `pending` is sent; `pending` and `blocked` hold back the payment's later deliveries. */
export type DeliveryState = 'pending' | 'succeeded' | 'exhausted' | 'superseded' | 'blocked' | 'skipped';
