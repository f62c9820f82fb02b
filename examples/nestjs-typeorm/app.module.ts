import { Controller, HttpCode, Module, NotFoundException, Param, Post } from '@nestjs/common';
import { expressRouter } from '@partnerkit/express';
import { InjectPartnerkit, PartnerkitModule } from '@partnerkit/nestjs';
import { Payment } from './entities.ts';
import { dataSource, kit } from './kit.ts';

/** Your own routes: whoever may call them is up to you. */
@Controller('payments')
class PaymentsController {
  @InjectPartnerkit()
  readonly partnerkit!: typeof kit;

  @Post(':id/paid')
  @HttpCode(204)
  async paid(@Param('id') id: string): Promise<void> {
    await dataSource.transaction(async (tx) => {
      const payment = await tx.findOne(Payment, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!payment) throw new NotFoundException();
      const { accountId, ...data } = await tx.save(Payment, { ...payment, status: 'paid' });
      // Commit delivers the event; a rollback leaves nothing of it.
      await this.partnerkit.events.publish({ accountId, objectName: 'RequestPayment', type: 'payed', data }, { tx });
    });
    this.partnerkit.nudge(); // wakes the worker of this process
  }
}

const close = async (): Promise<void> => {
  await dataSource.destroy();
};

/** The module runs a worker as long as the application runs. */
@Module({
  imports: [PartnerkitModule.forRoot({ kit, mount: expressRouter, close })],
  controllers: [PaymentsController],
})
export class AppModule {}
