//! The machine that a guest sees: a clock, randomness, and nothing else.
//!
//! Rust's standard library makes every guest import some twenty WASI
//! interfaces. Time and randomness are answered here from the session's
//! settings; all the rest traps, because the interpreter has no use for it.

use wasmtime::StoreContextMut;
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, ComponentType, Lift, Linker, Lower, Resource, ResourceType};

use crate::guest_state::GuestState;

/// `wasi:clocks/wall-clock.datetime`.
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug)]
#[component(record)]
struct Datetime {
    seconds: u64,
    nanoseconds: u32,
}

/// `wasi:io/poll.pollable`: always ready, for the clock moves by what was slept.
struct Pollable;

type Context<'a> = StoreContextMut<'a, GuestState>;

/// Defines what `component` imports from WASI.
pub(crate) fn define(
    linker: &mut Linker<GuestState>,
    component: &Component,
) -> wasmtime::Result<()> {
    linker.allow_shadowing(true);
    linker.define_unknown_imports_as_traps(component)?;
    for (name, item) in component.component_type().imports(component.engine()) {
        let ComponentItem::ComponentInstance(interface) = item.ty else {
            continue;
        };
        // Every interface that mentions pollables must mean the same ones.
        if interface
            .exports(component.engine())
            .any(|(export, _)| export == "pollable")
        {
            let pollable = ResourceType::host::<Pollable>();
            linker
                .instance(name)?
                .resource("pollable", pollable, |_, _| Ok(()))?;
        }
        match name.split('@').next().unwrap_or(name) {
            "wasi:clocks/monotonic-clock" => monotonic_clock(linker, name)?,
            "wasi:clocks/wall-clock" => wall_clock(linker, name)?,
            "wasi:io/poll" => poll(linker, name)?,
            "wasi:random/random" => random(linker, name)?,
            "wasi:random/insecure-seed" => {
                linker.instance(name)?.func_wrap(
                    "insecure-seed",
                    |mut context: Context<'_>, (): ()| {
                        let random = &mut context.data_mut().random;
                        Ok(((random.next(), random.next()),))
                    },
                )?;
            }
            "wasi:cli/environment" => {
                let mut environment = linker.instance(name)?;
                environment.func_wrap("get-environment", |_, (): ()| {
                    Ok((Vec::<(String, String)>::new(),))
                })?;
                environment.func_wrap("get-arguments", |_, (): ()| Ok((Vec::<String>::new(),)))?;
            }
            _ => {}
        }
    }
    linker.allow_shadowing(false);
    Ok(())
}

fn monotonic_clock(linker: &mut Linker<GuestState>, name: &str) -> wasmtime::Result<()> {
    let mut clock = linker.instance(name)?;
    clock.func_wrap("now", |mut context: Context<'_>, (): ()| {
        Ok((read_clock(&mut context)?,))
    })?;
    clock.func_wrap("resolution", |_, (): ()| Ok((1_u64,)))?;
    // A sleep is over before it begins, and the clock has moved.
    clock.func_wrap(
        "subscribe-duration",
        |mut context: Context<'_>, (nanoseconds,): (u64,)| {
            context.data_mut().sleep(nanoseconds);
            Ok((Resource::<Pollable>::new_own(0),))
        },
    )?;
    clock.func_wrap(
        "subscribe-instant",
        |mut context: Context<'_>, (until,): (u64,)| {
            let now = read_clock(&mut context)?;
            context.data_mut().sleep(until.saturating_sub(now));
            Ok((Resource::<Pollable>::new_own(0),))
        },
    )
}

/// Returns the fuel that is left of the entry at hand.
pub(crate) fn fuel_left(context: &Context<'_>) -> wasmtime::Result<u64> {
    context.data().fuel_left(|| context.get_fuel())
}

fn read_clock(context: &mut Context<'_>) -> wasmtime::Result<u64> {
    let left = fuel_left(context)?;
    context.data_mut().read_clock(left)
}

fn wall_clock(linker: &mut Linker<GuestState>, name: &str) -> wasmtime::Result<()> {
    let mut clock = linker.instance(name)?;
    clock.func_wrap("now", |context: Context<'_>, (): ()| {
        let now = context.data().clock.wall(fuel_left(&context)?);
        Ok((Datetime {
            seconds: now.as_secs(),
            nanoseconds: now.subsec_nanos(),
        },))
    })?;
    clock.func_wrap("resolution", |_, (): ()| {
        Ok((Datetime {
            seconds: 0,
            nanoseconds: 1,
        },))
    })
}

fn poll(linker: &mut Linker<GuestState>, name: &str) -> wasmtime::Result<()> {
    let mut poll = linker.instance(name)?;
    poll.func_wrap_async(
        "[method]pollable.block",
        |mut context: Context<'_>, (_,): (Resource<Pollable>,)| {
            let awake = context.data_mut().awake();
            Box::new(async move {
                awake.await;
                Ok(())
            })
        },
    )?;
    poll.func_wrap(
        "[method]pollable.ready",
        |_, (_,): (Resource<Pollable>,)| Ok((true,)),
    )?;
    poll.func_wrap_async(
        "poll",
        |mut context: Context<'_>, (all,): (Vec<Resource<Pollable>>,)| {
            let awake = context.data_mut().awake();
            Box::new(async move {
                awake.await;
                Ok(((0..all.len() as u32).collect::<Vec<u32>>(),))
            })
        },
    )
}

fn random(linker: &mut Linker<GuestState>, name: &str) -> wasmtime::Result<()> {
    let mut random = linker.instance(name)?;
    random.func_wrap(
        "get-random-bytes",
        |mut context: Context<'_>, (length,): (u64,)| {
            if length > 1 << 16 {
                wasmtime::bail!("the guest asked for {length} random bytes at once");
            }
            context.data_mut().pass(length as usize)?;
            let random = &mut context.data_mut().random;
            let bytes: Vec<u8> = std::iter::repeat_with(|| random.next().to_le_bytes())
                .flatten()
                .take(length as usize)
                .collect();
            Ok((bytes,))
        },
    )?;
    random.func_wrap("get-random-u64", |mut context: Context<'_>, (): ()| {
        Ok((context.data_mut().random.next(),))
    })
}
