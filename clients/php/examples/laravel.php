<?php

declare(strict_types=1);

namespace App\Providers;

use Illuminate\Console\Scheduling\Schedule;
use Illuminate\Support\ServiceProvider;
use Pazar\Client;
use Pazar\FileStore;

/** Pages use app(Client::class)->cached($code)->isActive(). Only the scheduler sends requests. */
final class LicenseServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->app->singleton(Client::class, static fn ($app): Client => new Client([
            'base_url' => 'https://licenses.example.com',
            'key' => 'pzr_vk_YOUR_VALIDATION_KEY',
            'items' => [1229],
            'keys' => ['CURRENT_KEY', 'NEXT_KEY'],
            // A cache store would lose the license with "php artisan cache:clear".
            'store' => new FileStore($app->storagePath('app/acme-license')),
            'site' => (string) $app->make('config')->get('app.url'),
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
