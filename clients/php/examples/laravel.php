<?php

declare(strict_types=1);

namespace App\Providers;

use Illuminate\Console\Scheduling\Schedule;
use Illuminate\Support\ServiceProvider;
use Pazar\Client;
use Pazar\LaravelStore;

/** app(Client::class)->cached($code) on pages; the scheduler asks. */
final class LicenceServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->app->singleton(Client::class, static fn ($app): Client => new Client([
            'base_url' => 'https://licences.example.com',
            'key' => 'pzr_vk_YOUR_VALIDATION_KEY',
            'items' => [1229],
            'keys' => ['CURRENT_KEY', 'NEXT_KEY'],
            'store' => new LaravelStore($app->make('cache')->store()),
            'secret' => $app->make('config')->get('app.key'),
        ]));
    }

    public function boot(): void
    {
        $this->callAfterResolving(Schedule::class, function (Schedule $schedule): void {
            $schedule->call(function (): void {
                $code = (string) $this->app->make('config')->get('services.acme.purchase_code');
                $this->app->make(Client::class)->check($code);
            })->hourly();
        });
    }
}
