import 'reflect-metadata';
import { HttpModule, HttpService } from '@nestjs/axios';
import { Controller, Get, Injectable, Module, Param, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { firstValueFrom } from 'rxjs';
import { balancesOf, entriesSearch, envelope, transactionsOf, type Entries, type Figures } from './plain-mapping.js';

/**
 * The application that the bank would write without the gateway: NestJS with its defaults, as its documentation shows. It
 * turns the core's rows into the same JSON as the gateway, and checks nothing: no token, no consent, no row.
 */
@Injectable()
class LedgerService {
  constructor(private readonly http: HttpService) {}

  async balances(customer: string, account: string) {
    return balancesOf(account, await this.get<Figures>(`/clients/${customer}/accts/${account}/figures`));
  }

  async transactions(customer: string, account: string, from: string, to: string) {
    const path = `/clients/${customer}/accts/${account}/entries`;
    return transactionsOf(account, await this.get<Entries>(path, entriesSearch(from, to)));
  }

  private async get<T>(url: string, params?: object): Promise<T> {
    const { data } = await firstValueFrom(this.http.get<T>(url, { params }));
    return data;
  }
}

@Controller()
class AccountsController {
  constructor(private readonly ledger: LedgerService) {}

  @Get('customers/:customer/accounts/:account/balances')
  async balances(@Param('customer') customer: string, @Param('account') account: string) {
    return envelope({ Balance: await this.ledger.balances(customer, account) }, `/accounts/${account}/balances`);
  }

  @Get('customers/:customer/accounts/:account/transactions')
  async transactions(
    @Param('customer') customer: string,
    @Param('account') account: string,
    @Query('fromBookingDateTime') from: string,
    @Query('toBookingDateTime') to: string,
  ) {
    const rows = await this.ledger.transactions(customer, account, from, to);
    return envelope({ Transaction: rows }, `/accounts/${account}/transactions`);
  }

  @Get('health/ready')
  ready() {
    return { status: 'ready' };
  }
}

@Module({
  imports: [HttpModule.register({ baseURL: process.env.CORE_URL, timeout: 3_000 })],
  controllers: [AccountsController],
  providers: [LedgerService],
})
class AppModule {}

const app = await NestFactory.create(AppModule);
await app.listen(Number(process.env.PORT), '127.0.0.1');

process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
