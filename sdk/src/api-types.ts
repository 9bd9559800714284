export type PaymentStatus =
  'OPEN' | 'FOUND' | 'UNDERPAID' | 'RECEIVED' | 'CONFIRMED' | 'CANCELLED' | 'ERROR' | 'REFUND';
export interface Payment {
  id: string;
  status: PaymentStatus;
  amount: { amount: bigint; atomic: string };
}
export interface PaymentListItem {
  id: string;
  status: PaymentStatus;
}
export interface Pagination {
  total: number;
  count: number;
  per_page: number;
  current_page: number;
  total_pages: number;
}
export interface Operations {
  createPayment: {
    body: {
      amount: number | bigint;
      currencyCode: string;
      reference: string;
      referenceLabel: string;
      clientId?: string;
    };
    answer: { data: { id: string; checkoutUrl: string } };
  };
  listPayments: {
    query: {
      page?: number;
      per_page?: number;
      perPage?: number;
      status?: string;
      dateFrom?: string;
      dateTo?: string;
      reference?: string;
    };
    answer: { data: PaymentListItem[]; meta: { pagination: Pagination } };
  };
  getCheckoutStatus: { answer: { data: { status: PaymentStatus } } };
}
